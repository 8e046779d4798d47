import { useAddress } from '#ui/use-address.ts';

/** The open definition from the address: none, a new one, or the one with an ID. */
export type Opened = { kind: 'none' } | { kind: 'new' } | { kind: 'one'; id: string };

export function useOpenDefinition(): { opened: Opened; open: (opened: Opened) => void } {
  const { read, change } = useAddress();
  const id = read('open');
  const opened: Opened = id !== '' ? { kind: 'one', id } : { kind: read('new') === '' ? 'none' : 'new' };
  return {
    opened,
    open: (next) => change({ open: next.kind === 'one' ? next.id : '', new: next.kind === 'new' ? 'yes' : '' }),
  };
}
