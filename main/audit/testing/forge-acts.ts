import { createHash } from 'node:crypto';
import {
  batchAt,
  hashOf,
  parseHeader,
  type SealedBatch,
  sealEnd,
  sealStart,
  ZERO_HASH,
} from '#common/node/journal/format.ts';
import type { Random } from '#test/random.ts';
import type { Files, World } from './forge-world.ts';

/**
 * Each forgery changes a data folder like an attacker who knows the source of Sluice, and earlier states, but not the
 * secret.
 */
export type Forgery = (files: Files, random: Random, world: World) => void;

const CHAINS = ['gateway', 'host'] as const;
const path = (chain: string, segment: number, part = '') =>
  `journal/${chain}/${String(segment).padStart(8, '0')}${part}.jsonl`;

function pickName(files: Files, random: Random, wanted: RegExp): string | null {
  const names = [...files.keys()].filter((name) => wanted.test(name));
  return names.length === 0 ? null : (names[Math.floor(random.next() * names.length)] ?? null);
}

const SEGMENT = /\/\d{8}\.jsonl$/;
const PART = /\.part\.jsonl$/;
const int = (random: Random, max: number) => Math.floor(random.next() * max);

function numbersOf(files: Files, chain: string): number[] {
  const found = [...files.keys()].flatMap(
    (name) => new RegExp(`journal/${chain}/(\\d{8})\\.jsonl$`).exec(name)?.[1] ?? [],
  );
  return found.map(Number).toSorted((a, b) => a - b);
}

interface Batch {
  header: string;
  lines: string;
}

/** The batches of a segment up to the first that an earlier forgery made unreadable. */
function* readableBatches(bytes: Buffer): Generator<SealedBatch> {
  let at = 0;
  while (true) {
    const batch = readableBatch(bytes, at);
    if (batch === null) return;
    yield batch;
    at = batch.end;
  }
}

function readableBatch(bytes: Buffer, start: number): SealedBatch | null {
  try {
    return batchAt(bytes, start);
  } catch {
    return null;
  }
}

/** The batches of a segment as texts without their seals. */
function batchesOf(bytes: Buffer): Batch[] {
  const batches: Batch[] = [];
  for (const batch of readableBatches(bytes)) {
    const text = bytes.toString('utf8', batch.start, batch.sealAt);
    const isHeader = text.startsWith('{"segment"');
    const cut = isHeader ? text.indexOf('\n') + 1 : 0;
    batches.push({ header: text.slice(0, cut), lines: text.slice(cut) });
  }
  return batches;
}

/** Seals batches with correct hashes after `prev` and `seq`. */
function sealed(batches: readonly Batch[], prev: string, seq: number): { bytes: Buffer; hash: string; seq: number } {
  let hash = prev;
  let text = '';
  for (const { header, lines } of batches) {
    seq += 1;
    const fixed = header === '' ? '' : continued(header, hash, seq);
    const rows = lines.split('\n').filter((line) => line.startsWith('{"time":')).length;
    const covered = `${fixed}${lines}${sealStart(seq, rows, new Date().toISOString(), null)}`;
    hash = hashOf(Buffer.concat([Buffer.from(hash, 'hex'), Buffer.from(covered)]));
    text += covered + sealEnd(hash);
  }
  return { bytes: Buffer.from(text), hash, seq };
}

/** Changes the batches of a segment and computes every hash again up to the end of the chain. */
function rehash(files: Files, chain: string, from: number, change: (batches: Batch[]) => Batch[]): void {
  const numbers = numbersOf(files, chain).filter((segment) => segment >= from);
  const header = parseHeader(files.get(path(chain, from)) ?? Buffer.alloc(0));
  let at = { hash: header?.prev ?? ZERO_HASH, seq: (header?.batch ?? 1) - 1 };
  for (const segment of numbers) {
    const batches = batchesOf(files.get(path(chain, segment)) ?? Buffer.alloc(0));
    const made = sealed(segment === from ? change(batches) : batches, at.hash, at.seq);
    files.set(path(chain, segment), made.bytes);
    at = made;
  }
}

/** A header that continues the chain; one that an earlier forgery made unreadable is unchanged. */
function continued(header: string, prev: string, batch: number): string {
  try {
    return `${JSON.stringify({ ...JSON.parse(header), prev, batch })}\n`;
  } catch {
    return header;
  }
}

function row(random: Random): string {
  const fields = {
    time: new Date().toISOString(),
    type: random.pick(['use', 'refusal', 'admin']),
    requestId: `forged${int(random, 1e9)}`,
  };
  return `${JSON.stringify({ ...fields, ip: '10.0.0.66' })}\n`;
}

/** A batch with a correct hash after the last one, with `lines` in it. */
export function appendBatch(files: Files, chain: string, lines: string): void {
  const newest = path(chain, numbersOf(files, chain).at(-1) ?? 0);
  const bytes = files.get(newest);
  if (!bytes) return;
  const last = [...readableBatches(bytes)].at(-1);
  if (last === undefined) return;
  const made = sealed([{ header: '', lines }], last.seal.hash, last.seal.seq);
  files.set(newest, Buffer.concat([bytes.subarray(0, last.end), made.bytes]));
}

function pruneRow(segment: number, whole: Buffer, part: Buffer | null): string {
  const { hash, seq } = batchesEnd(whole);
  const sha = part && createHash('sha256').update(part).digest('hex');
  const detail = JSON.stringify({ segment, dropped: 'kept', part: sha, batches: [seq, seq], hash });
  return `${JSON.stringify({ time: new Date().toISOString(), type: 'prune', act: 'journal.prune', target: 'x', detail, count: 3 })}\n`;
}

const edit: Forgery = (files, random) => {
  const name = pickName(files, random, /\.jsonl$|anchors$/);
  if (name === null) return;
  const bytes = Buffer.from(files.get(name) ?? '');
  for (let n = 0; n <= int(random, 4); n++) bytes.writeUInt8(int(random, 256), int(random, bytes.length));
  files.set(name, bytes);
};

const rehashed: Forgery = (files, random) => {
  const chain = random.pick(CHAINS);
  const numbers = numbersOf(files, chain);
  const from = numbers[int(random, numbers.length)] ?? 1;
  const how = random.pick(['edit', 'remove', 'swap', 'insert'] as const);
  rehash(files, chain, from, (batches) => {
    const at = int(random, batches.length);
    const changed = batches.map((batch) => ({ ...batch }));
    const one = changed[at];
    if (!one) return changed;
    if (how === 'edit' || how === 'insert' || changed.length < 3)
      one.lines = how === 'edit' ? one.lines.replace(/"(?:r|s|k)\w+"/, '"forged"') : one.lines + row(random);
    else if (how === 'remove') changed.splice(Math.max(1, at), 1);
    else changed.splice(1, 2, ...changed.slice(1, 3).toReversed());
    return changed;
  });
};

const cut: Forgery = (files, random) => {
  const name = pickName(files, random, /\.jsonl$/);
  const bytes = name === null ? undefined : files.get(name);
  if (name !== null && bytes) files.set(name, bytes.subarray(0, int(random, bytes.length)));
};

const remove: Forgery = (files, random) => {
  const name = pickName(files, random, /./);
  if (name !== null) files.delete(name);
};

const appended: Forgery = (files, random) => {
  const stop = `{"stop":"${new Date().toISOString()}"}\n`;
  appendBatch(
    files,
    random.pick(CHAINS),
    random.pick([row(random), row(random) + row(random), stop, row(random) + stop]),
  );
};

/** A prune row in `chain` for a segment of the gateway's or its own chain, which is removed or left as `part`. */
export function forgedPruning(
  files: Files,
  { of, chain, part, victim = 'gateway' }: { of: number; chain: string; part: Buffer | null; victim?: string },
): void {
  const whole = files.get(path(victim, of)) ?? Buffer.alloc(0);
  files.delete(path(victim, of));
  if (part) files.set(path(victim, of, '.part'), part);
  else files.delete(path(victim, of, '.part'));
  appendBatch(files, chain, pruneRow(of, whole, part));
}

const pruned: Forgery = (files, random) => {
  const victim = random.pick(CHAINS);
  const numbers = numbersOf(files, victim);
  const of = numbers[int(random, Math.max(1, numbers.length - 1))] ?? 1;
  const part = random.chance(0.5) ? Buffer.from(`{"part":${of},"rows":"kept"}\n${row(random)}`) : null;
  forgedPruning(files, { of, chain: random.pick(CHAINS), part, victim });
};

const foreignPart: Forgery = (files, random) => {
  const name = pickName(files, random, PART) ?? path('gateway', 1, '.part');
  const segment = Number(/(\d{8})/.exec(name)?.[1] ?? 1);
  files.set(name, Buffer.from(`{"part":${segment},"rows":"kept"}\n${row(random)}`));
};

const foreignSegment: Forgery = (files, random) => {
  const chain = random.pick(CHAINS);
  const newest = numbersOf(files, chain).at(-1) ?? 0;
  const bytes = files.get(path(chain, newest)) ?? Buffer.alloc(0);
  const last = batchesEnd(bytes);
  const segment = random.pick([newest + 1, newest + 2, 50_000_000]);
  const header = `${JSON.stringify({ segment, journal: 1, chain, prev: '', batch: 0, time: new Date().toISOString(), previous: null })}\n`;
  const made = sealed([{ header, lines: row(random) }], last.hash, last.seq);
  const isTorn = random.chance(0.3);
  files.set(path(chain, segment), isTorn ? made.bytes.subarray(0, made.bytes.length - 5) : made.bytes);
};

function batchesEnd(bytes: Buffer): { hash: string; seq: number } {
  return [...readableBatches(bytes)].at(-1)?.seal ?? { hash: ZERO_HASH, seq: 0 };
}

const behindSeal: Forgery = (files, random) => {
  const name = pickName(files, random, SEGMENT);
  if (name !== null) files.set(name, Buffer.concat([files.get(name) ?? Buffer.alloc(0), Buffer.from(row(random))]));
};

const reorder: Forgery = (files, random) => {
  const chain = random.pick(CHAINS);
  const numbers = numbersOf(files, chain);
  const [a, b] = random.shuffle(numbers);
  if (a === undefined || b === undefined) return;
  const [first, second] = [files.get(path(chain, a)), files.get(path(chain, b))];
  if (first && second) files.set(path(chain, a), second).set(path(chain, b), first);
};

const swapChains: Forgery = (files, random) => {
  const segment = numbersOf(files, 'host').at(-1 - int(random, 2)) ?? 1;
  const host = files.get(path('host', segment));
  const gateway = files.get(path('gateway', numbersOf(files, 'gateway').at(-1) ?? 1));
  if (host && random.chance(0.5)) files.set(path('gateway', numbersOf(files, 'gateway').at(-1) ?? 1), host);
  else if (gateway) files.set(path('host', segment), gateway);
};

/** Lines of the anchors log: changed, removed, doubled, reordered, added, cut. */
const anchorsLog: Forgery = (files, random) => {
  const name = 'journal/anchors.jsonl';
  const lines = (files.get(name)?.toString('utf8') ?? '').split('\n').slice(0, -1);
  const at = int(random, lines.length);
  const line = lines[at] ?? '';
  const n = lines.length + 1;
  const forged = `{"n":${n},"time":"${new Date().toISOString()}","kind":"prune","chain":"gateway","segment":${at},"dropped":"kept","part":null,"mac":"${'0'.repeat(64)}"}`;
  const ways = [
    () => lines.splice(at, 1),
    () => lines.splice(at, 0, line),
    () => lines.splice(at, 2, ...lines.slice(at, at + 2).toReversed()),
    () => lines.push(forged),
    () => lines.splice(at, 1, line.replace(/\d/, '7')),
    () => lines.splice(at),
  ] as const;
  random.pick(ways)();
  files.set(name, Buffer.from(lines.map((text) => `${text}\n`).join('')));
};

/** Anchors, or anchors and journal, of an earlier moment; the vault is unchanged. */
const rollBack: Forgery = (files, random, world) => {
  const earlier = world.earlier[int(random, world.earlier.length)] ?? new Map<string, Buffer>();
  const some = [/^anchors$/, /anchors\.jsonl$/, /anchors/, /gateway/, /host/, /journal/] as const;
  // The vault of a killed service can also be of that moment: then the whole folder was replaced, which is detected
  // differently.
  const wanted = random.pick(world.clean ? [...some, /./] : some);
  for (const name of files.keys()) if (wanted.test(name)) files.delete(name);
  for (const [name, bytes] of earlier) if (wanted.test(name)) files.set(name, bytes);
};

/** A pruned segment, restored with other content. */
const putBack: Forgery = (files, random, world) => {
  const [first] = world.earlier;
  const names = [...(first?.keys() ?? [])].filter((name) => SEGMENT.test(name) && !files.has(name));
  const name = names[int(random, names.length)];
  if (name === undefined || !first) return foreignPart(files, random, world);
  const [, chain = '', number = ''] = /journal\/(\w+)\/(\d{8})/.exec(name) ?? [];
  const alone: Files = new Map([[name, first.get(name) ?? Buffer.alloc(0)]]);
  rehash(alone, chain, Number(number), (batches) =>
    batches.map((batch) => ({ ...batch, lines: batch.lines + row(random) })),
  );
  files.set(name, alone.get(name) ?? Buffer.alloc(0));
  files.delete(name.replace('.jsonl', '.part.jsonl'));
};

const combined: Forgery = (files, random, world) => {
  for (let n = 0; n < 2 + int(random, 2); n++) random.pick(SINGLE)[1](files, random, world);
};

const SINGLE: [[string, Forgery], ...[string, Forgery][]] = [
  ['bytes edited', edit],
  ['rows changed and hashes computed again', rehashed],
  ['file cut', cut],
  ['file removed', remove],
  ['batch appended', appended],
  ['forged prune row', pruned],
  ['foreign part file', foreignPart],
  ['foreign segment', foreignSegment],
  ['text behind the last seal', behindSeal],
  ['segments reordered', reorder],
  ['chains swapped', swapChains],
  ['anchors log changed', anchorsLog],
  ['earlier state restored', rollBack],
  ['pruned segment restored, changed', putBack],
];

export const FORGERIES: [[string, Forgery], ...[string, Forgery][]] = [...SINGLE, ['several of these', combined]];
