import { createRandom } from '#test/random.ts';

/** Programs of the part of JavaScript that runs natively, most of them without errors, and messages for them. */
/** Choices from a seed. */
export class Dice {
  readonly #next: () => number;

  constructor(seed: number, number: number) {
    this.#next = createRandom(seed, String(number)).next;
  }

  /** From 0 to `max`, without `max`. */
  int(max: number): number {
    return Math.floor(this.#next() * max);
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.int(list.length)];
    if (item === undefined) throw new Error('expected a list with items');
    return item;
  }
}

type Kind = 'number' | 'text' | 'truth' | 'numbers' | 'texts' | 'lines' | 'line' | 'any';

const DEPTH = 4;
const TEXTS = [
  '',
  'a',
  'B-12',
  ' x ',
  'línea',
  '😀',
  '\ud800',
  'a,b,c',
  '0',
  '-7.25',
  '12',
  '1e3',
  'null',
  '\u0001x',
  '$&',
  'zz',
  '\u2028"\\',
];
const NUMBERS = [
  '0',
  '1',
  '-1',
  '2',
  '7',
  '0.1',
  '0.5',
  '2.5',
  '-3.5',
  '1e21',
  '1e-7',
  '123456.789',
  '2147483648',
  '255',
  '1.005',
  '5e-324',
  '1.79e308',
  '0.0000005',
];

/** At the limits of the format, and of rounding. */
const EDGES = [
  0.49999999999999994,
  0.5,
  1.5,
  4503599627370497,
  9007199254740992,
  5e-324,
  Number.MAX_VALUE,
  1e21,
  1e-6,
  1e-7,
  1.255,
  8.345,
  0.000001234,
  123456789.125,
];

export function program(random: Dice): string {
  return new Programs(random).module();
}

export function message(random: Dice): unknown {
  const line = (): unknown => ({
    n: aNumber(random),
    s: aText(random),
    ...(random.chance(0.3) && { o: random.pick([null, true, false, aNumber(random)]) }),
    ...(random.chance(0.05) && { [random.pick(['2', '1', '__x', 'toString', 'length'])]: aText(random) }),
  });
  return {
    payload: {
      n: aNumber(random),
      m: aNumber(random),
      s: aText(random),
      t: aText(random),
      b: random.chance(0.5),
      ns: many(random, () => aNumber(random)),
      ts: many(random, () => aText(random)),
      lines: many(random, line),
      line: random.chance(0.97) ? line() : random.pick([null, 'x', 3]),
      [random.pick(['z', '10', 'extra', 'a b'])]: random.pick([null, [], {}, [[1, [2]], null], { q: { r: 1 } }]),
    },
    request: random.chance(0.5) ? null : { id: 'r-1', path: '/api' },
    caller: null,
  };
}

function many(random: Dice, make: () => unknown): unknown[] {
  return Array.from({ length: random.int(5) }, make);
}

function aText(random: Dice): string {
  return random.chance(0.8) ? random.pick(TEXTS) : random.pick(TEXTS) + random.pick(TEXTS) + String(random.int(1000));
}

function aNumber(random: Dice): number {
  const kind = random.int(6);
  if (kind < 2) return random.int(20) - 5;
  if (kind === 2) return Number(random.pick(NUMBERS));
  if (kind === 3) return (random.int(2_000_000) - 1_000_000) / random.pick([1, 10, 100, 1000, 3, 7]);
  if (kind === 4) return random.chance(0.1) ? random.pick(EDGES) : random.int(1000) + 0.5;
  return (random.int(2 ** 30) / 2 ** 30 - 0.5) * 10 ** (random.int(40) - 20);
}

interface Names {
  readonly kind: Kind;
  readonly name: string;
  readonly changes?: boolean;
}

class Programs {
  readonly #random: Dice;
  #names: Names[] = [];
  #count = 0;
  #hasHelper = false;

  constructor(random: Dice) {
    this.#random = random;
  }

  module(): string {
    const random = this.#random;
    const before = random.chance(0.3) ? [`const K = ${this.#leaf('number')};`, 'const T = "unit";'] : [];
    if (before.length > 0) this.#names.push({ kind: 'number', name: 'K' }, { kind: 'text', name: 'T' });
    if (random.chance(0.3)) before.push(this.#helper());
    const [parameter, first] = random.pick([
      ['msg', 'const { payload: p } = msg;'],
      ['msg', 'const p = msg.payload;'],
      ['{ payload: p, request = null }', ''],
    ] as const);
    const body = [
      first,
      ...Array.from({ length: random.int(5) }, () => this.#statement(2)),
      `return ${this.#result()};`,
    ];
    if (random.chance(0.2))
      return [...before, `export default function (${parameter}) {\n${body.join('\n')}\n}`].join('\n');
    return [...before, `export default (${parameter}) => {\n${body.join('\n')}\n};`].join('\n');
  }

  #helper(): string {
    const outer = this.#names;
    this.#names = [
      { kind: 'number', name: 'x' },
      { kind: 'text', name: 'y' },
    ];
    const body = this.#expression('number', 2);
    this.#names = outer;
    // It cannot see the message.
    const code = /\bp\b/.test(body) ? 'x * 2 + y.length' : body;
    this.#hasHelper = true;
    return this.#random.chance(0.5)
      ? `const help = (x, y = "d") => ${code};`
      : `function help(x, y = "d") { return ${code}; }`;
  }

  #result(): string {
    const parts = Array.from({ length: 1 + this.#random.int(4) }, (_, index) =>
      this.#random.pick([
        () => `k${index}: ${this.#expression(this.#kind(), DEPTH)}`,
        () => `...${this.#expression('line', 2)}`,
        () => `["c" + ${this.#expression('number', 1)}]: ${this.#expression(this.#kind(), 2)}`,
        () => `${index}: ${this.#expression(this.#kind(), 2)}`,
      ])(),
    );
    return this.#random.chance(0.15) ? this.#expression(this.#kind(), DEPTH) : `{ ${parts.join(', ')} }`;
  }

  #statement(depth: number): string {
    const random = this.#random;
    const kind = this.#kind();
    const changing = this.#names.filter(({ changes, kind: its }) => changes && its === 'number');
    switch (random.int(9)) {
      case 6:
        return this.#collects(depth);
      case 7:
        return this.#changes(depth);
      case 8:
        return this.#loop(depth);
      case 0:
        return this.#declare('let', 'number', depth);
      case 1: {
        const { name } = changing.length > 0 ? random.pick(changing) : { name: null };
        if (name === null) return this.#declare('let', 'number', depth);
        return this.#inBlock(() => {
          const item = this.#name('line');
          const code = `for (const ${item} of ${this.#before('lines', item)}) { ${depth > 0 ? this.#statement(depth - 1) : ''} ${name} ${random.pick(['=', '+=', '-=', '*='])} ${this.#expression('number', 2)}; }`;
          return code;
        });
      }
      case 2:
        return `if (${this.#expression('truth', 2)}) { ${this.#inBlock(() => (depth > 0 ? this.#statement(depth - 1) : ''))} } ${random.chance(0.3) ? `else if (${this.#expression('truth', 1)}) return ${this.#expression('any', 1)};` : ''}`;
      case 3: {
        const source = this.#expression('line', 1);
        const [one, two] = [this.#name('any'), this.#name('text')];
        return `const { n: ${one} = 3, s: ${two}, ...rest${two} } = ${source};`;
      }
      case 4: {
        const source = this.#expression('numbers', 2);
        const [one, rest] = [this.#name('any'), this.#name('numbers')];
        return `const [${one} = 1, , ...${rest}] = ${source};`;
      }
      default:
        return this.#declare('const', kind, depth);
    }
  }

  /** An object or an array that a loop fills. */
  #collects(depth: number): string {
    const random = this.#random;
    const made = this.#inBlock(() => {
      const item = this.#name('line');
      const list = this.#before('lines', item);
      const key = random.pick([`${item}.s`, `String(${item}.n)`, `\`k\${${item}.s}\``, `(${item}.s ?? "none")`]);
      const end = random.pick(['', '', `if (${this.#expression('truth', 1)}) break;`, `if (${item}.n > 3) continue;`]);
      const fill = random.pick([
        (name: string) => `${name}[${key}] = (${name}[${key}] ?? 0) ${random.pick(['+', '-'])} ${item}.n;`,
        (name: string) => `${name}[${key}] ??= []; ${name}[${key}].push(${this.#expression('any', depth)});`,
        (name: string) => `${name}[${key}] = ${this.#expression('any', depth + 1)};`,
        (name: string) => `${name}[${key}] = ${item}; delete ${name}[${this.#expression('text', 1)}];`,
        (name: string) => `Object.assign(${name}, ${this.#expression('line', 1)}, { [${key}]: ${item}.n });`,
      ]);
      return (name: string) => `for (const ${item} of ${list}) { ${end} ${fill(name)} }`;
    });
    const name = this.#name('any');
    return `const ${name} = {}; ${made(name)}`;
  }

  /** Changes of arrays and objects, of the message as well: those are the sandbox's. */
  #changes(depth: number): string {
    const random = this.#random;
    const kind = random.pick(['numbers', 'texts', 'lines', 'line'] as const);
    const value = this.#expression(kind, depth + 1);
    if (kind === 'line') {
      const of = this.#name('line');
      const change = random.pick([
        `${of}.n += ${this.#expression('number', 1)};`,
        `${of}.n++;`,
        `${of}.s = ${this.#expression('text', 2)};`,
        `${of}[${this.#expression('text', 1)}] = ${this.#expression('any', 1)};`,
        `delete ${of}.${random.pick(['o', 'n', 's'])};`,
        `${of}.o ??= ${this.#expression('any', 1)};`,
        `${of}.self = ${this.#expression('lines', 1)};`,
      ]);
      return `const ${of} = { ...${value} }; ${change}`;
    }
    const item = kind.slice(0, -1) as 'number' | 'text' | 'line';
    const list = this.#name(kind);
    const order = kind === 'texts' ? '' : kind === 'numbers' ? '(a, b) => a - b' : '(one, two) => two.n - one.n';
    const change = (): string =>
      random.pick([
        `${list}.push(${this.#expression(item, 2)});`,
        `${list}.push(${this.#expression(item, 1)}, ${this.#expression(item, 1)});`,
        `${list}.unshift(${this.#expression(item, 1)});`,
        `${list}.pop();`,
        `${list}.shift();`,
        `${list}.reverse();`,
        `${list}.sort(${order});`,
        `${list}[${random.pick(['0', `${list}.length`, `${list}.length - 1`])}] = ${this.#expression(item, 1)};`,
        `${list}.forEach((v, i) => { if (i < 2) ${list}.push(v); });`,
      ]);
    const copied = random.pick([`[...${value}]`, `${value}.slice()`, `${value}.filter((v) => v !== null)`]);
    const copy = random.chance(0.05) ? value : copied;
    return `const ${list} = ${copy}; ${change()} ${random.chance(0.5) ? change() : ''}`;
  }

  #loop(depth: number): string {
    const random = this.#random;
    const sum = this.#name('number', true);
    const code = this.#inBlock(() => {
      const index = this.#name('number');
      const body = `${depth > 0 ? this.#statement(depth - 1) : ''} ${sum} ${random.pick(['+=', '-=', '='])} ${this.#expression('number', 2)};`;
      const skip = random.pick(['', `if (${index} === 1) continue;`, `if (${sum} > 5) break;`]);
      if (random.chance(0.7)) return `for (let ${index} = 0; ${index} < p.ns.length; ${index}++) { ${skip} ${body} }`;
      return `let ${index} = 3; while (${index}-- > 0) { ${skip} ${body} }`;
    });
    return `let ${sum} = 0; ${code}`;
  }

  #declare(word: 'const' | 'let', kind: Kind, depth: number): string {
    const value = this.#expression(kind, depth + 1);
    return `${word} ${this.#name(kind, word === 'let')} = ${value};`;
  }

  /** An expression that does not use the name that was made last. */
  #before(kind: Kind, name: string): string {
    const all = this.#names;
    this.#names = all.filter((one) => one.name !== name);
    const code = this.#expression(kind, 2);
    this.#names = all;
    return code;
  }

  #inBlock<T>(work: () => T): T {
    const outer = this.#names;
    this.#names = [...outer];
    const code = work();
    this.#names = outer;
    return code;
  }

  #name(kind: Kind, changes = false): string {
    const name = `v${this.#count++}`;
    this.#names.push({ kind, name, changes });
    return name;
  }

  #kind(): Kind {
    return this.#random.pick(['number', 'text', 'truth', 'numbers', 'texts', 'lines', 'line', 'any'] as const);
  }

  #leaf(kind: Kind): string {
    const random = this.#random;
    const own = this.#names.filter((one) => one.kind === kind);
    if (own.length > 0 && random.chance(0.5)) return random.pick(own).name;
    switch (kind) {
      case 'number':
        return random.pick(NUMBERS);
      case 'text':
        return JSON.stringify(random.pick(TEXTS));
      case 'truth':
        return random.pick(['true', 'false']);
      case 'numbers':
        return random.pick(['[]', '[3, 1, 2]', '[0.5, -1]']);
      case 'texts':
        return random.pick(['[]', '["a", "b"]', '["x", "", "é"]']);
      case 'lines':
        return '[{ n: 1, s: "one" }, { n: 2.5, s: "two", o: null }]';
      case 'line':
        return '{ n: 4, s: "four" }';
      default:
        return random.pick(['null', 'undefined', '0', '""', 'NaN', '-0', '[]', '{}']);
    }
  }

  #expression(kind: Kind, depth: number): string {
    const random = this.#random;
    const inBody = this.#names.length > 0 || this.#count > 0;
    if (depth <= 0 || random.chance(0.1)) {
      if (random.chance(0.5)) return this.#leaf(kind);
      return inBody || depth < DEPTH ? this.#ofMessage(kind) : this.#leaf(kind);
    }
    const e = (of: Kind): string => this.#expression(of, depth - 1);
    const any = [
      () => `(${e('truth')} ? ${e(kind)} : ${e(kind)})`,
      () => `(${e('any')} ?? ${e(kind)})`,
      () => `(${e(kind)} ${random.pick(['||', '&&'])} ${e(kind)})`,
    ];
    const made = random.chance(0.06) ? any : this.#forms(kind, depth, e);
    return random.pick(made)();
  }

  #ofMessage(kind: Kind): string {
    const random = this.#random;
    const choices: Readonly<Record<Kind, readonly string[]>> = {
      number: ['p.n', 'p.m', '(p.ns[0] ?? 3)', 'p.ns.length', '(p.line?.n ?? 1)', '(p.lines[0]?.n ?? 2)'],
      text: ['p.s', 'p.t', '(p.ts[1] ?? "none")', '(p.line?.s ?? "l")', 'p["s"]', '(p.s[0] ?? "")'],
      truth: ['p.b', '!p.b', 'p.line?.o'],
      numbers: ['p.ns'],
      texts: ['p.ts'],
      lines: ['p.lines'],
      line: ['p.line', 'p.lines[0]', '(p.lines.at(-1) ?? {})'],
      any: ['p.z', 'p.extra', 'p["10"]', 'p.missing', 'p.missing?.deep.er', 'p.line', 'p.n', 'p.s?.length'],
    };
    return random.pick(choices[kind]);
  }

  #forms(kind: Kind, depth: number, e: (of: Kind) => string): readonly (() => string)[] {
    const random = this.#random;
    const item = (of: Kind, result: Kind): string => this.#arrow([of, 'number'], result, depth - 1);
    switch (kind) {
      case 'number':
        return [
          () =>
            `(${e('number')} ${random.pick(['+', '-', '*', '/', '%', '|', '&', '^', '<<', '>>', '>>>'])} ${e('number')})`,
          () => `Math.${random.pick(['floor', 'ceil', 'round', 'trunc', 'abs', 'sign', 'sqrt'])}(${e('number')})`,
          () => `Math.${random.pick(['min', 'max'])}(${e('number')}, ${e('number')})`,
          () => `Math.round(${e('number')} * 100) / 100`,
          () =>
            `${e('numbers')}.reduce(${this.#arrow(['number', 'number', 'number'], 'number', depth - 1)}, ${e('number')})`,
          () => `${e('lines')}.reduce(${this.#arrow(['number', 'line'], 'number', depth - 1)}, 0)`,
          () => `(${random.pick(['-', '+', '~'])} ${e('number')})`,
          () => `Number(${e(random.pick(['text', 'number', 'truth'] as const))})`,
          () =>
            `${e('numbers')}.${random.pick(['at(-1)', 'length', 'findIndex((x) => x > 1)', 'find((x) => x < 1)', 'indexOf(2)', 'findLast((x) => x)'])}`,
          () => `${e('text')}.${random.pick(['length', 'indexOf("a")', 'charCodeAt(0)', 'lastIndexOf("b")'])}`,
          ...(this.#hasHelper ? [() => `help(${e('number')}${random.chance(0.5) ? `, ${e('text')}` : ''})`] : []),
        ];
      case 'text':
        return [
          () => `(${e('text')} + ${e(random.pick(['text', 'number', 'truth', 'any'] as const))})`,
          () => `(${e('number')} + ${e('text')})`,
          () => `\`\${${e('number')}}-\${${e('text')}} \${${e('truth')}}\``,
          () =>
            `${e('text')}.${random.pick(['toUpperCase()', 'toLowerCase()', 'trim()', 'trimEnd()', 'slice(1)', 'slice(-3, -1)', 'substring(2, 0)', 'padStart(6, "ab")', 'padEnd(4)', 'repeat(2)', 'replace("a", "bb")', 'replaceAll("a", "-")', 'charAt(1)', 'at(-1)', 'toString()'])}`,
          () => `(${e('number')}).toFixed(${random.int(8)})`,
          () => `String(${e(random.pick(['number', 'truth', 'any'] as const))})`,
          () => `(${e('number')}).toString()`,
          () => `${e(random.pick(['texts', 'numbers'] as const))}.join(${random.pick(['', '", "', '""'])})`,
          () => `typeof ${e('any')}`,
        ];
      case 'truth':
        return [
          () => `(${e('number')} ${random.pick(['<', '>', '<=', '>=', '===', '!==', '==', '!='])} ${e('number')})`,
          () => `(${e('text')} ${random.pick(['<', '>', '===', '!=='])} ${e('text')})`,
          () =>
            `(${e('any')} ${random.pick(['==', '!=', '===', '!=='])} ${random.pick(['null', 'undefined', '0', '""'])})`,
          () => `!${e('any')}`,
          () => `${e('text')}.${random.pick(['includes', 'startsWith', 'endsWith'])}(${e('text')})`,
          () => `${e('lines')}.${random.pick(['some', 'every'])}(${item('line', 'truth')})`,
          () => `${e('numbers')}.includes(${e('number')})`,
          () => `Array.isArray(${e('any')})`,
          () => `Number.${random.pick(['isInteger', 'isFinite', 'isNaN', 'isSafeInteger'])}(${e('any')})`,
          () => `Boolean(${e('any')})`,
        ];
      case 'numbers':
        return [
          () => `${e('lines')}.map(${item('line', 'number')})`,
          () => `${e('numbers')}.map(${item('number', 'number')})`,
          () => `${e('numbers')}.filter(${item('number', 'truth')})`,
          () => `[...${e('numbers')}, ${e('number')}]`,
          () => `${e('numbers')}.concat(${e('numbers')}, ${e('number')})`,
          () =>
            `${e('numbers')}.${random.pick(['slice(1)', 'slice(-2)', 'slice(0, 2)', 'toReversed()', 'slice()', 'flat()'])}`,
          () => `${e('texts')}.map(Number)`,
          () => `${e('numbers')}.toSorted(${random.pick(['(a, b) => a - b', '(a, b) => b - a'])})`,
        ];
      case 'texts':
        return [
          () => `${e('text')}.split(${random.pick(['","', '""', '" "', '"a"'])})`,
          () => `${e('lines')}.map(${item('line', 'text')})`,
          () => `${e('numbers')}.map(String)`,
          () => `Object.keys(${e('line')})`,
          () => `${e('texts')}.${random.pick(['toSorted()', 'slice().sort()'])}`,
          () => `${e('texts')}.filter(${item('text', 'truth')})`,
          () => `${e('texts')}.flatMap(${item('text', 'texts')})`,
        ];
      case 'lines':
        return [
          () => `${e('lines')}.filter(${item('line', 'truth')})`,
          () => `${e('lines')}.map(${item('line', 'line')})`,
          () => `${e('numbers')}.map(${item('number', 'line')})`,
          () => `[${e('line')}, ...${e('lines')}]`,
          () => `${e('lines')}.toSorted((a, b) => ${random.pick(['a.n - b.n', 'b.n - a.n'])})`,
        ];
      case 'line':
        return [
          () => `{ n: ${e('number')}, s: ${e('text')} }`,
          () => `{ ...${e('line')}, n: ${e('number')} }`,
          () => `{ ...${e('line')}, ${random.pick(['o', '"1"', '7', '"a b"'])}: ${e('any')} }`,
          () => `Object.fromEntries(Object.entries(${e('line')}).filter(([k, v]) => k !== "o" && v !== null))`,
          () => `Object.fromEntries(${e('texts')}.map((t, i) => [t, i]))`,
          () => `${e('lines')}.find(${item('line', 'truth')})`,
        ];
      default:
        return [
          () => `{ a: ${e('any')}, b: ${e('number')}, u: undefined }`,
          () => `[${e('any')}, ${e('text')}]`,
          () => `Object.values(${e('line')})`,
          () => `Object.entries(${e('line')})`,
          () => `${e('line')}?.o`,
          () => `${e('lines')}[${e('number')}]?.s`,
          () => e('number'),
          () => `${e('text')}[${e('number')}]`,
        ];
    }
  }

  #arrow(parameters: readonly Kind[], result: Kind, depth: number): string {
    return this.#inBlock(() => {
      const given = parameters.slice(
        0,
        this.#random.chance(0.3)
          ? parameters.length
          : Math.min(
              parameters.length,
              result === 'number' && parameters.length > 1 && parameters[0] === 'number' ? 2 : 1,
            ),
      );
      const names = given.map((kind) => this.#name(kind));
      const isLine = given.length === 1 && given[0] === 'line' && this.#random.chance(0.3);
      const list = isLine ? '{ n, s = "-" }' : names.join(', ');
      if (isLine)
        this.#names = [
          ...this.#names.filter(({ name }) => name !== names[0]),
          { kind: 'any', name: 'n' },
          { kind: 'text', name: 's' },
        ];
      const body = this.#expression(result, depth);
      if (this.#random.chance(0.2)) return `(${list}) => { const w = ${body}; return w; }`;
      return `(${list}) => (${body})`;
    });
  }
}
