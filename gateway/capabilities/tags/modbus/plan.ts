import { type ModbusTag, isBitTable, widthOf } from './encoding.ts';

/**
 * Plans which addresses are read together. Tags of the same unit, table and poll interval with nearby addresses share a
 * request; one request costs more than the few unused addresses between them.
 */
export interface Block {
  readonly unitId: number;
  readonly table: ModbusTag['source']['table'];
  readonly pollMs: number;
  readonly start: number;
  /** Bits of a bit table, otherwise registers. */
  readonly count: number;
  /** Sorted by address; never empty. */
  readonly tags: readonly ModbusTag[];
}

/** Limits of the protocol (MODBUS Application Protocol 1.1b3, 6.1 to 6.4). */
export const REGISTERS_PER_READ_MAX = 125;
export const BITS_PER_READ_MAX = 2_000;
/** Unused addresses that are also read to avoid a second request: about the bytes of one more request and response. */
export const REGISTERS_GAP_MAX = 16;
export const BITS_GAP_MAX = 256;

export function planBlocks(tags: Iterable<ModbusTag>): Block[] {
  const groups = Map.groupBy(tags, ({ source }) => `${source.unitId}/${source.table}/${source.poll}`);
  return [...groups.values()].flatMap(merge);
}

/** Two halves of the tags, each as narrow as possible; the block itself if it has one tag. */
export function splitBlock(block: Block): Block[] {
  const half = Math.ceil(block.tags.length / 2);
  return [block.tags.slice(0, half), block.tags.slice(half)].filter((tags) => tags.length > 0).flatMap(merge);
}

function merge(tags: readonly ModbusTag[]): Block[] {
  const ordered = tags.toSorted((a, b) => a.source.address - b.source.address);
  const runs: { start: number; end: number; tags: ModbusTag[] }[] = [];
  for (const tag of ordered) {
    const { address } = tag.source;
    const end = address + widthOf(tag.source);
    const run = runs.at(-1);
    if (run !== undefined && fits(tag, run, end)) {
      run.end = Math.max(run.end, end);
      run.tags.push(tag);
    } else runs.push({ start: address, end, tags: [tag] });
  }
  return runs.map((run) => blockOf(run.start, run.end, run.tags));
}

function fits({ source }: ModbusTag, run: { start: number; end: number }, end: number): boolean {
  const [gapMax, countMax] = isBitTable(source.table)
    ? [BITS_GAP_MAX, BITS_PER_READ_MAX]
    : [REGISTERS_GAP_MAX, REGISTERS_PER_READ_MAX];
  return source.address - run.end <= gapMax && Math.max(run.end, end) - run.start <= countMax;
}

function blockOf(start: number, end: number, tags: readonly ModbusTag[]): Block {
  const [first] = tags;
  if (first === undefined) throw new TypeError('a block has at least one tag');
  const { unitId, table, poll } = first.source;
  return { unitId, table, pollMs: poll * 1000, start, count: end - start, tags };
}
