import { expect, test } from 'vitest';
import { callerShares, likelyHeapHolder } from './callers-shares.ts';

const MIB = 1024 * 1024;
const holder = (id: string) => ({ id, name: `Key ${id}`, project: `project-${id}` });
const [large, many] = [holder('large'), holder('many')];

test('a full heap is attributed to the holder of most memory for bodies, or else of most runs', () => {
  const shares = callerShares();
  expect(likelyHeapHolder(shares)).toBeNull();
  shares.runs.take(large, 1);
  shares.runs.take(many, 2);
  expect(likelyHeapHolder(shares)).toBe(many);
  shares.parsed.take(large, MIB);
  expect(likelyHeapHolder(shares)).toBe(many);
  shares.parsed.take(large, 8 * MIB);
  expect(likelyHeapHolder(shares)).toBe(large);
});
