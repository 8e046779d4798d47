import { describe, expect, test } from 'vitest';
import { modbusTag } from './modbus-tag.testing.ts';
import {
  BITS_GAP_MAX,
  BITS_PER_READ_MAX,
  REGISTERS_GAP_MAX,
  REGISTERS_PER_READ_MAX,
  planBlocks,
  splitBlock,
} from './plan.ts';
import { Schedule } from './schedule.ts';

const at = (address: number, more: object = {}) => modbusTag(`t${address}`, { table: 'holding', address, ...more });
const shape = (tags: Parameters<typeof planBlocks>[0]) => planBlocks(tags).map(({ start, count }) => [start, count]);

describe('planning blocks', () => {
  test('neighbours are read together, whatever their order, and gaps up to the tolerance are included', () => {
    expect(shape([at(3), at(0, { encoding: 'float32' }), at(4 + REGISTERS_GAP_MAX)])).toEqual([
      [0, 5 + REGISTERS_GAP_MAX],
    ]);
    expect(shape([at(0), at(2 + REGISTERS_GAP_MAX)])).toEqual([
      [0, 1],
      [2 + REGISTERS_GAP_MAX, 1],
    ]);
  });

  test('no block exceeds the protocol limit or splits a value', () => {
    const doubles = Array.from({ length: 100 }, (_, index) => at(index * 4, { encoding: 'float64' }));
    const blocks = planBlocks(doubles);
    expect(blocks.map(({ count }) => count)).toEqual([124, 124, 124, 28]);
    expect(blocks.every(({ count }) => count <= REGISTERS_PER_READ_MAX)).toBe(true);
    expect(blocks.flatMap(({ tags }) => tags)).toHaveLength(100);
    const coils = Array.from({ length: 2_500 }, (_, index) => at(index, { table: 'coil' }));
    expect(shape(coils)).toEqual([
      [0, BITS_PER_READ_MAX],
      [2_000, 500],
    ]);
    expect(shape([at(0, { table: 'coil' }), at(1 + BITS_GAP_MAX, { table: 'coil' })])).toHaveLength(1);
    expect(shape([at(0, { table: 'coil' }), at(2 + BITS_GAP_MAX, { table: 'coil' })])).toHaveLength(2);
  });

  test('another unit, table or poll interval needs another block', () => {
    expect(shape([at(0), at(1, { unitId: 2 }), at(2, { table: 'input' }), at(3, { poll: 5 })])).toHaveLength(4);
  });

  test('tags may share an address', () => {
    const bits = [0, 1].map((bit) => modbusTag(`bit${bit}`, { table: 'holding', address: 7, encoding: 'bit', bit }));
    expect(shape(bits)).toEqual([[7, 1]]);
  });

  test('a block is split into halves without the gap, down to single tags', () => {
    const [block] = planBlocks([at(0), at(1), at(10)]);
    if (block === undefined) throw new Error('no block');
    const halves = splitBlock(block);
    expect(halves.map(({ start, count }) => [start, count])).toEqual([
      [0, 2],
      [10, 1],
    ]);
    expect(halves.flatMap(splitBlock).map(({ tags }) => tags.length)).toEqual([1, 1, 1]);
  });
});

describe('the schedule', () => {
  test('the most overdue poll comes first and keeps its schedule', () => {
    const schedule = new Schedule(planBlocks([at(0, { poll: 1 }), at(1, { poll: 0.5 })]), 0);
    const first = schedule.due(0);
    if (first === null) throw new Error('nothing due');
    schedule.done(first, 30);
    expect(first.dueMs).toBe(first.block.pollMs);
    expect(schedule.due(0)).not.toBe(first);
  });

  test('missed polls are skipped, not made up for', () => {
    const schedule = new Schedule(planBlocks([at(0, { poll: 1 })]), 0);
    const poll = schedule.due(0);
    if (poll === null) throw new Error('nothing due');
    schedule.done(poll, 7_300);
    expect(poll.dueMs).toBe(8_000);
    expect(schedule.due(7_999)).toBeNull();
  });
});
