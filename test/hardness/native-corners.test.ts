import { beforeAll, expect, test } from 'vitest';
import { compileNative, LEFT } from '../../gateway/sandbox/native/native-script.ts';
import { EqualityRun, outcomeOf } from './native-equality.ts';

/** Corner cases of the language, written by hand; generated programs rarely reach them (native.test.ts). */
let equality: EqualityRun;
beforeAll(async () => {
  equality = await EqualityRun.open(1);
});

const MESSAGE = JSON.parse(
  JSON.stringify({
    numbers: [5e-324, 1.7976931348623157e308, 1e21, 1e-7, 123456789012345680000, 0.1, 0.30000000000000004, 2 ** 53],
    halves: [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.49999999999999994, 4503599627370495.5],
    texts: ['', ' ', '\u00e9', 'e\u0301', '\ud83d\ude00', '\ud83d', '\uffff', 'Z', 'a', 'ß', '\u0000', '\u2028', '"\\'],
    items: [
      { n: 2, s: 'first' },
      { n: 1, s: 'second' },
      { n: 2, s: 'third' },
      { n: 1, s: 'fourth' },
    ],
    deep: { a: { b: [{ c: null }] } },
    empty: { list: [], object: {}, text: '' },
  }),
) as unknown;
/** Keys that look like indices come first, up to 2³² − 2; then the others as they were added. */
const KEYS = JSON.parse(
  '{"b":1,"4294967295":2,"4294967294":3,"2147483648":4,"10":5,"9":6,"01":7,"-1":8,"1.5":9,"":10}',
);

async function both(body: string, message: unknown): Promise<{ native: unknown; engine: string }> {
  const code = `export default (m) => { ${body} };`;
  const native = compileNative(code).run(message);
  const guest = await equality.guest(code);
  if (guest === null) throw new Error(`the engine refuses: ${body}`);
  return { native, engine: outcomeOf(guest, message) };
}

test.each([
  // Numbers as texts
  'return m.numbers.map(String)',
  'return m.numbers.map((n) => `${-n}`)',
  'return m.numbers.map((n) => n / 3)',
  'return [1e21, 1e20, 123456789.123, 1e-6, 1e-7, 0.000001234].map((n) => n + "")',
  'return [-0, 0, 0 * -1, -0 + 0, -0 - 0].map((n) => [n, String(n), 1 / n > 0, `${n}`, n === 0])',
  'return m.halves.map((n) => [Math.round(n), Math.floor(n), Math.ceil(n), Math.trunc(n), Math.sign(n), Math.abs(n)])',
  'return m.halves.map((n) => 1 / Math.round(n * 0.1))',
  'return [0, 1, 2, 10, 20].map((d) => [1.005, 0.5, -1.5, 1e-10, -0, 123.456, 8.345, 1e14 + 0.5].map((n) => n.toFixed(d)))',
  'return [-1e-10, -0.4, -0.5, 0.000001].map((n) => n.toFixed(0))',
  // NaN and Infinity
  'return [NaN === NaN, [NaN].includes(NaN), [NaN].indexOf(NaN), NaN !== NaN, typeof NaN, String(NaN), NaN ? 1 : 2]',
  'return [1 / 0, -1 / 0, 0 / 0, Infinity - Infinity].map(String)',
  'return [1 / 0, NaN, -0, { n: 0 / 0 }]',
  'return [Math.max(), Math.min(), Math.max(1, NaN), Math.max(-0, 0), Math.min(0, -0)].map((n) => [String(n), 1 / n < 0])',
  'return [Number.isInteger(5.0), Number.isInteger(-0), Number.isSafeInteger(m.numbers[7]), Number.isSafeInteger(m.numbers[7] - 1), Number.isInteger(1e300)]',
  // Arithmetic
  'return [5 % 3, -5 % 3, 5 % -3, -5 % 5, 5.5 % 2, 1 % 0].map((n) => [String(n), 1 / n < 0])',
  'return [1 << 31, 1 << 32, -1 >>> 0, -1 >> 31, 4294967296 | 0, 2147483648 | 0, 1.9 | 0, -1.9 | 0, NaN | 0, ~0, 5 & -1, 6 ^ 3]',
  'return [0.1 + 0.2, m.numbers[7] + 1, 1e308 * 10, 5e-324 / 2, -5e-324 / 2].map(String)',
  'let n = m.numbers[7]; n++; n += 1; let k = 0.1; k--; return [n, k, n++, ++n, k--, --k]',
  // Texts
  'return ["" < "a", "Z" < "a", "a" < "aa", "10" < "9", "\\ud83d\\ude00" < "\\uffff", "e\\u0301" < "\\u00e9", "" < ""]',
  'return m.texts.map((t) => [t.length, t[0] ?? null, t.at(-1) ?? null, String(t.charCodeAt(0)), t.split("").length])',
  'return m.texts.map((t) => `${t}|`).join()',
  'return m.texts[4].split("").map((t) => t.charCodeAt(0))',
  'return [m.texts[4].slice(0, 1), m.texts[4].charAt(1), m.texts[4].padEnd(5, "\\ud83d\\ude00"), m.texts[4].includes("\\ude00")]',
  'return ["abc".slice(-2), "abc".slice(2, 1), "abc".slice(-0), "abc".substring(2, 0), "abc".substring(-1), "abc".at(-4) ?? null]',
  'return ["abc".indexOf(""), "abc".lastIndexOf(""), "".indexOf(""), "abc".includes(""), "abc".split("c"), "".split(","), "".split("")]',
  'return ["x".repeat(0), "x".padStart(-1), "x".padStart(3, ""), "abc".padStart(5, "12345"), "x".padEnd(0)]',
  'return ["aaa".replace("a", "b"), "aaa".replaceAll("aa", "b"), "abc".replace("", "-"), "abc".replace("x", "y")]',
  'return [" \\t\\n\\r\\v\\f x ".trim(), " x ".trimStart(), " x ".trimEnd(), "aZ09".toUpperCase(), "aZ09".toLowerCase()]',
  'return ["1" + 2, 1 + "2", "a" + null, "a" + undefined, "a" + true, `${null} ${undefined} ${false}`, "a" + -0]',
  // Conversions and comparisons
  'return ["12", "-7.25", "0", "-0", "007", "1.500"].map(Number).map((n) => [n, 1 / n < 0])',
  'return [Number(null), Number(true), String(Number(undefined)), Boolean(""), Boolean("0"), Boolean(NaN), Boolean(-0), Boolean([])]',
  'return [null == undefined, null == 0, undefined == "", null === undefined, 1 == 1, "a" == "a", true == true]',
  'return [typeof null, typeof undefined, typeof 1, typeof "", typeof true, typeof [], typeof {}]',
  'return [0 || "a", "" ?? "a", null ?? "a", 0 && 1, NaN || null, undefined && 1]',
  // Objects
  'return m.empty.object?.a?.b ?? "none"',
  'return [m.deep?.a?.b?.[0]?.c, m.deep.a.b[1]?.c.d.e, m.missing?.deep.er.list.length]',
  'return { b: 1, 10: 2, 9: 3, a: 4, "01": 5, "-1": 6, [2]: 7, 1.5: 8, "": 9 }',
  'return { a: 1, b: 2, a: 3 }',
  'return { ...{ a: 1, b: 2 }, b: 3, ...null, ...undefined, ...{ a: 4 } }',
  'const { a, ...rest } = { b: 1, 7: 2, a: 3, 1: 4 }; return [a, rest, Object.keys(rest)]',
  'const { a = 1, b = 2, c = 3 } = { a: undefined, b: null }; return [a, b, c]',
  'return Object.fromEntries([["b", 1], ["2", 2], ["b", 3], [1, 4]])',
  'return { u: undefined, n: null, list: [undefined, null] }',
  'return undefined',
  'const o = { a: 1, b: 2, c: 3 }; delete o.b; o.b = 4; o[5] = 6; delete o.missing; return [o, Object.entries(o)]',
  'const o = { a: 1 }; const p = o; p.a += 1; p.l = []; o.l.push(o.a); return [o, p, { ...o }]',
  'const o = {}; o.a ??= 1; o.a ??= 2; o.b ||= 3; o.b &&= 0; o.b ||= "x"; o.c = o.d = 7; return o',
  'const o = Object.assign({ a: 1, 9: 1 }, { b: 2, a: 3 }, null, m.deep, undefined); return o',
  // Arrays
  'const [a, , b = 7, ...c] = [1, 2, undefined, 4, 5]; return [a, b, c]',
  'const [a, b] = []; const [...c] = [1]; return [a === undefined, b, c]',
  'const l = [1]; const add = () => { l.push(2, 3); return 9; }; const [a = add(), b = add(), c] = l; return [a, b, c, l]',
  'const l = []; const add = () => { l.push(2, 3); return 9; }; const [a = add(), b, ...c] = l; return [a, b === undefined, c, l]',
  'return [[1, [2, [3]]].flat(), [[1], [], [2, 3]].flatMap((l) => l), [1, 2].concat([3], 4, [[5]]), [].concat()]',
  'return [[1, 2, 3].at(-1), [1, 2, 3].at(5) ?? null, [1, 2, 3].slice(-2), [1, 2, 3].slice(5), [1, 2, 3][-1] ?? null]',
  'return [[null, undefined, 1, "a", true].join("-"), [].join(), [null].join(), ["a", "b"].join("")]',
  'return [["a", "b"].indexOf("c"), [0].includes(-0), [1, 2].indexOf(2), [null].includes(undefined), [undefined].includes(undefined)]',
  'const l = [1, 2]; for (const x of l) if (l.length < 5) l.push(x * 10); return l',
  'const l = [1, 2, 3]; for (const x of l) l.pop(); return l',
  'const l = [3, 1]; l.unshift(5, 6); l.reverse(); const s = l.shift(); return [l, s, l.push(8), l.pop(), [].pop() === undefined]',
  'const l = [1]; l[1] = 2; l[l.length] = 3; l[0] = 4; return l',
  'let t = ""; for (let i = 0, k = 9; i < k; i += 2) { k--; if (i === 2) continue; if (i === 6) break; t += `${i}${k} `; } return t',
  'let n = 0; while (true) { if (n > 5) break; n++; } for (const x of [1, 2, 3]) { if (x === 2) break; n += x; } return n',
  // Sorts are stable, and of UTF-16 units
  'return m.items.toSorted((a, b) => a.n - b.n)',
  'return m.items.slice().sort((x, y) => y.n - x.n)',
  'return m.texts.toSorted().map((t) => t.split("").map((u) => u.charCodeAt(0)))',
  'return [10, 9, -1, 0.5, -0, 0, 1e21].sort((a, b) => a - b).map((n) => [n, 1 / n < 0])',
  'return [[1.7e308, -1.7e308, 5e-324, 0, -5e-324].toSorted((a, b) => b - a), [].toSorted(), [].sort((a, b) => a - b)]',
])('%s: the same natively and in the sandbox', async (body) => {
  const { native, engine } = await both(body, MESSAGE);
  expect(native).not.toBe(LEFT);
  expect(JSON.stringify(native)).toBe(engine);
});

test.each([
  'return m',
  'return Object.keys(m)',
  'return { z: 1, ...m }',
  'const o = {}; for (const k of Object.keys(m)) o[k] = 1; return o',
])('the order of keys in %s', async (body) => {
  const { native, engine } = await both(body, KEYS);
  expect(JSON.stringify(native)).toBe(engine);
});

const nested = (levels: number) => JSON.parse('[{"a":'.repeat(levels) + '1' + '}]'.repeat(levels)) as unknown;

test.each([
  ['an error', 'throw new Error("x")', {}],
  ['a missing object', 'return m.a.b', {}],
  ['a missing function', 'return m.a.map((x) => x)', {}],
  ['a very deep message', 'return m', nested(300)],
  ['a very deep result', 'let o = {}; for (let i = 0; i < 300; i++) o = { o }; return o', {}],
  ['a cycle', 'const o = {}; o.o = o; return o', {}],
  ['an endless loop', 'let n = 0; while (n < 200000) { n++; } return n', {}],
  ['a loop that is too long', 'let n = 0; for (let i = 0; i < 60000; i++) { n += i; } return n', {}],
  ['texts that are too long', 'let t = "0123456789"; for (let i = 0; i < 16; i++) t += t; return t.length', {}],
  ['a change of the message', 'm.a = 1; return m', { a: 0 }],
  ['a change inside of the message', 'const o = { ...m }; o.l.push(1); return o', { l: [] }],
  ['a sort of the message', 'return m.l.sort((a, b) => a - b)', { l: [2, 1] }],
  ['a sort of other values', 'return m.l.toSorted()', { l: [10, 9, 'a'] }],
  ['a sort with NaN', 'return m.l.toSorted((a, b) => a.n - b.n)', { l: [{ n: 1 }, {}] }],
  ['a hole', 'const l = []; l[2] = 1; return l', {}],
  ['an inherited name', 'const o = {}; o.valueOf = 1; return Object.keys(o)', {}],
  ['a name with a meaning', 'const o = {}; o.constructor = 1; return Object.keys(o)', {}],
  ['a length', 'const l = [1]; l.length = 0; return l', {}],
  ['a change of the array of a callback', 'const l = [1, 2]; l.forEach((x) => { l.push(x); }); return l', {}],
])('%s is left to the sandbox, which ends it', async (_what, body, message) => {
  const before = JSON.stringify(message);
  const { native, engine } = await both(body, message);
  expect(native).toBe(LEFT);
  expect(engine).not.toBe('');
  expect(JSON.stringify(message)).toBe(before);
});
