import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fixtureOfTest } from './fixture-of-test.testing.ts';
import { READ_ALL } from './canary-fixture.ts';
import { loadEngineWasm } from './engine-wasm.ts';
import type { Guest, GuestResult } from './guest.ts';
import { ROOM_BYTES_MAX } from './limits.ts';
import { isPacked, Packer } from './packed-message.ts';
import { bareGuest, call, guestOf } from './sandbox-fixture.ts';

/** Searches the memory for data of one caller's run, from code that can read all of it during another run. */
const WASM = await loadEngineWasm();
const newCanary = (): string => `CANARY-${randomBytes(16).toString('hex')}`;

const SCRIPT = String.raw`
  export default async ({ does, secret }) => {
    const kept = [];
    for (let i = 0; i < 200; i++) kept.push(secret.repeat(3) + i);
    globalThis.left = kept;
    if (does === 'throw') throw new Error(secret + kept.length);
    if (does === 'loop') for (;;);
    if (does === 'recurse') { const f = (n) => f(n + 1) + 1; f(1); }
    if (does === 'fill') for (;;) kept.push(secret.repeat(1e4) + kept.length);
    if (does === 'grow') { for (let i = 0; i < 400; i++) kept.push(secret.repeat(100) + i); return kept.length; }
    if (does === 'bytes') return new TextEncoderLike(secret);
    if (does === 'wait') await vars.get(secret);
    if (does === 'look') return Math.random() >= 0;
    return kept.length;
  };
  const TextEncoderLike = function (text) { return Uint8Array.from(text, (c) => c.charCodeAt(0)); };`;

interface Watched {
  readonly guest: Guest;
  /** True if the text is in the memory while a run of another caller is active. */
  found(secret: string): boolean;
}

async function bringUp(options: { watch?: () => 'script_deadline' | null; room?: number } = {}): Promise<Watched> {
  let seen = Buffer.alloc(0);
  const loaded = await bareGuest(SCRIPT, {
    ...options,
    wasm: WASM,
    // The guest requests it when it first needs a random number, in the middle of its run.
    host: { entropy: () => ((seen = Buffer.from(new Uint8Array(guest.memory.buffer))), 1) },
  });
  const guest = guestOf(loaded);
  const found = (secret: string): boolean => {
    seen = Buffer.alloc(0);
    expect(run(guest, 'look', 'nothing')).toMatchObject({ code: '', text: 'true' });
    expect(seen.includes('nothing')).toBe(true);
    return seen.includes(secret) || seen.includes(Buffer.from(secret, 'utf16le'));
  };
  return { guest, found };
}

function run(guest: Guest, does: string, secret: string): GuestResult {
  const packed = new Packer().pack({ does, secret });
  if (packed === null || !isPacked(packed)) throw new Error('the message is not packed');
  return guest.run(packed, []);
}

const holds = ({ memory }: Guest, secret: string): boolean => Buffer.from(memory.buffer).includes(secret);

describe('nothing of a run is in the memory of the next', () => {
  test.each([
    ['that returned', 'return', ''],
    ['that returned bytes', 'bytes', ''],
    ['that threw', 'throw', 'script_failed'],
    ['that recursed too deep', 'recurse', 'script_failed'],
    ['that waits', 'wait', 'suspended'],
  ])('after one %s', async (_what, does, code) => {
    const { guest, found } = await bringUp();
    const secret = newCanary();
    expect(run(guest, does, secret).code).toBe(code);
    expect([holds(guest, secret), guest.spent]).toEqual([true, false]);
    expect(found(secret)).toBe(false);
  });

  test('after one that was ended at its deadline', async () => {
    let asked = 0;
    const { guest, found } = await bringUp({ watch: () => (++asked === 20 ? 'script_deadline' : null) });
    const secret = newCanary();
    expect(run(guest, 'loop', secret).code).toBe('script_deadline');
    expect([holds(guest, secret), guest.spent]).toEqual([true, false]);
    expect(found(secret)).toBe(false);
  });

  test.each([
    ['filled its memory', 'fill', 'script_memory'],
    ['grew beyond its room', 'grow', ''],
  ])('after one that %s: the instance is thrown away', async (_what, does, code) => {
    const { guest } = await bringUp();
    expect(run(guest, does, newCanary()).code).toBe(code);
    expect(guest.spent).toBe(true);
  });

  test('in an instance with more room, after one that used it', async () => {
    const { guest, found } = await bringUp({ room: ROOM_BYTES_MAX / 4 });
    const secret = newCanary();
    expect(run(guest, 'grow', secret).code).toBe('');
    expect([holds(guest, secret), guest.spent]).toEqual([true, false]);
    expect(found(secret)).toBe(false);
  });

  test('after one that continued here, or in another instance', async () => {
    const [one, other] = [await bringUp(), await bringUp()];
    const secret = newCanary();
    const { calls } = run(one.guest, 'wait', secret);
    if (calls === undefined || calls.image === null) throw new Error('it does not wait');
    expect(one.found(secret)).toBe(false);
    const before = newCanary();
    run(other.guest, 'return', before);
    const [id] = calls.requests[0] ?? [];
    const resumed = other.guest.resume({ image: calls.image, answers: [[id ?? 0, true, 'null', []]] });
    expect(resumed).toMatchObject({ code: '', text: '200' });
    expect([holds(other.guest, secret), holds(other.guest, before)]).toEqual([true, false]);
    expect(other.found(secret)).toBe(false);
  });
});

describe('a script that breaks out of its engine', () => {
  test('finds nothing of what another caller sent to it', async () => {
    const fixture = await fixtureOfTest();
    const secret = newCanary();
    const script = await fixture.compile(`${READ_ALL}
      export default ({ payload }) => {
        if (payload.secret) { const kept = []; for (let i = 0; i < 300; i++) kept.push(payload.secret.repeat(20) + i); return kept.length; }
        const all = readAll();
        if (all === null) return [];
        const found = [];
        for (let at = 0; at < 250 * 65536 && found.length < 3; at++) {
          if (all[at] !== 67 || all[at + 1] !== 65 || all[at + 2] !== 78) continue;
          let text = '';
          for (let i = 0; i < ${newCanary().length}; i++) text += String.fromCharCode(all[at + i]);
          if (/^CANARY-[0-9a-f]{32}$/.test(text)) found.push(text);
        }
        return found;
      };`);
    for (let n = 0; n < 8; n++) await call(script, { secret });
    for (let n = 0; n < 4; n++) expect(await call(script, {})).toEqual([]);
  });
});
