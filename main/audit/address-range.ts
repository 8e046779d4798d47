import { BlockList } from 'node:net';
import { addressFamily, normaliseCidr, parseCidr } from '#common/cidr.ts';

/** A test for `10.20.0.7` or `10.20.0.0/16`; null if the text is neither. */
export function addressRange(text: string): ((address: string) => boolean) | null {
  const cidr = parseCidr(text);
  if (cidr === null) return null;
  const { address, prefix, family } = normaliseCidr(cidr);
  const list = new BlockList();
  list.addSubnet(address, prefix, family);
  return (candidate) => {
    const of = addressFamily(candidate);
    return of !== null && list.check(candidate, of);
  };
}
