import { anything, array, assert, asyncProperty, constantFrom, dictionary, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CELLS_MAX, COLUMNS_MAX, ROWS_MAX } from './csv.ts';
import { refusal } from './files-fixture.ts';
import { decodeFile, encodeFile, type FileFormat } from './formats.ts';

const read = (bytes: string | Uint8Array, format: FileFormat) =>
  decodeFile(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, format);
const write = async (content: unknown, format: FileFormat) => Buffer.from(await encodeFile(content, format)).toString();

describe('text', () => {
  test('is UTF-8, without a byte order mark', async () => {
    expect(await read('\ufeffé\r\n\u0000✓', 'text')).toBe('é\r\n\u0000✓');
    expect(await write('é\n✓', 'text')).toBe('é\n✓');
  });

  test.each([
    ['a byte that begins nothing', [0x61, 0xff]],
    ['a character cut in half', [0xe2, 0x9c]],
    ['a slash in two bytes', [0xc0, 0xaf]],
    ['an unpaired surrogate', [0xed, 0xa0, 0x80]],
    ['UTF-16', [0xff, 0xfe, 0x61, 0x00]],
  ])('with %s is refused', async (_what, bytes) => {
    for (const format of ['text', 'json', 'csv'] as const)
      expect(await refusal(read(new Uint8Array(bytes), format))).toBe('file_invalid');
  });

  test.each([[1], [null], [undefined], [{}], [['a']], [new Uint8Array(1)], ['half \ud800']])(
    'is not written from %j',
    async (content) => {
      expect(await refusal(write(content, 'text'))).toBe('file_invalid');
    },
  );
});

describe('JSON', () => {
  test('is read and written', async () => {
    expect(await read('\ufeff{"a": [1, null]}', 'json')).toEqual({ a: [1, null] });
    expect(await write({ a: [1, null], b: new Uint8Array([255]) }, 'json')).toBe('{"a":[1,null],"b":"/w=="}');
    expect(await write(null, 'json')).toBe('null');
  });

  test.each([
    '',
    '{',
    '{"a":1,}',
    '{"__proto__": {}}',
    '{"a": {"\\u005f_proto__": 1}}',
    '{"constructor": {"prototype": 1}}',
  ])('%j is refused', async (text) => {
    expect(await refusal(read(text, 'json'))).toBe('file_invalid');
  });

  test.each([
    [undefined],
    [() => 1],
    [1n],
    [JSON.parse('{"a": {"__proto__": 1}}')],
    [{ constructor: { prototype: 1 } }],
    [JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)],
  ])('is not written from values that cannot be read back (case %#)', async (content) => {
    expect(await refusal(write(content, 'json'))).toBe('file_invalid');
  });

  test('may contain text that only looks like such keys', async () => {
    const content = { note: '"__proto__"', kind: 'constructor', list: ['__proto__'] };
    expect(await read(await write(content, 'json'), 'json')).toEqual(content);
  });
});

test('writing long JSON lets the event loop serve others', async () => {
  let turns = 0;
  let ended = false;
  const count = (): void => {
    turns += 1;
    if (!ended) setImmediate(count);
  };
  setImmediate(count);
  const rows = Array.from({ length: 100_000 }, (_, n) => ({ n, name: 'Müller', ok: true }));
  const bytes = await encodeFile(rows, 'json').finally(() => (ended = true));
  expect(Buffer.from(bytes).toString()).toBe(JSON.stringify(rows));
  expect(turns).toBeGreaterThan(10);
});

describe('a value whose text is far larger than itself', () => {
  /** 2 to the power of `levels` times the same leaf: 64 MiB as a text, a few objects in memory. */
  const doubled = (levels: number): unknown => {
    let value: unknown = { text: 'x'.repeat(1_000) };
    for (let level = 0; level < levels; level++) value = { left: value, right: value };
    return value;
  };

  test('is refused as soon as the text is too large for a file', async () => {
    expect(await refusal(write(doubled(16), 'json'))).toBe('file_too_large');
    const cell = 'x'.repeat(1_000_000);
    const rows = Array.from({ length: 64 }, () => ({ cell }));
    expect(await refusal(write(rows, 'csv'))).toBe('file_too_large');
  });

  test('is no longer written once its run has ended', async () => {
    const ended = new AbortController();
    const written = encodeFile(doubled(13), 'json', ended.signal);
    ended.abort();
    expect(await refusal(written)).toBe('call_cancelled');
  });
});

describe('bytes', () => {
  test('are unchanged', async () => {
    const bytes = new Uint8Array([0, 255, 10]);
    expect(await read(bytes, 'bytes')).toEqual(bytes);
    expect(await encodeFile(bytes, 'bytes')).toEqual(bytes);
    for (const content of ['text', [1, 2], { 0: 1 }, null])
      expect(await refusal(write(content, 'bytes'))).toBe('file_invalid');
  });
});

describe('CSV', () => {
  test('is a list of objects with the names of its header line', async () => {
    const text = '\ufeffid,name,note\r\n1,"Müller, K.","say ""hi""\nagain"\n\n2,,\n';
    expect(await read(text, 'csv')).toEqual([
      { id: '1', name: 'Müller, K.', note: 'say "hi"\nagain' },
      { id: '2', name: '', note: '' },
    ]);
  });

  test.each([
    ['', []],
    ['a,b\n', []],
    ['a,b', []],
    ['a\n1', [{ a: '1' }]],
    ['toString,a.b,constructor\n1,2,3', [{ toString: '1', 'a.b': '2', constructor: '3' }]],
  ])('%j is parsed as %j', async (text, rows) => {
    expect(await read(text, 'csv')).toEqual(rows);
  });

  test.each(['a,b\n1', 'a,b\n1,2,3', 'a\n"1', 'a\n"1"x', 'a,a\n1,2', '__proto__,a\n1,2', 'a,b\n1,2\n3'])(
    '%j is refused',
    async (text) => {
      expect(await refusal(read(text, 'csv'))).toBe('file_invalid');
    },
  );

  test('is written with every column that any row has', async () => {
    const rows = [
      { id: 1, 'a.b': 'x,y', on: true },
      { id: null, off: false, deep: { x: [1] }, raw: new Uint8Array([255]) },
      {},
    ];
    expect(await write(rows, 'csv')).toBe(
      'id,a.b,on,off,deep,raw\r\n1,"x,y",true,"","",""\r\n"","","",false,"{""x"":[1]}",/w==\r\n"","","","","",""\r\n',
    );
  });

  test('leaves text that a spreadsheet treats as a formula unchanged', async () => {
    const rows = [{ a: '=1+1', b: '@SUM(A1)', c: '-2', d: '+3' }];
    expect(await read(await write(rows, 'csv'), 'csv')).toEqual(rows);
  });

  test.each([[null], [undefined], ['a,b'], [{}], [[1]], [[null]], [[['a']]], [[new Uint8Array(1)]], [[{ a: 1n }]]])(
    'is not written from case %#',
    async (content) => {
      expect(await refusal(write(content, 'csv'))).toBe('file_invalid');
    },
  );

  test('refuses to write a column named __proto__', async () => {
    expect(await refusal(write([JSON.parse('{"__proto__": 1}')], 'csv'))).toBe('file_invalid');
    expect(await refusal(write([{ a: () => 1 }], 'csv'))).toBe('file_invalid');
  });

  test('with any text is read as it was written', async () => {
    const rows = array(dictionary(string({ unit: 'grapheme' }), string({ unit: 'grapheme' }), { maxKeys: 5 }), {
      maxLength: 5,
    });
    await assert(
      asyncProperty(rows, async (list) => {
        const columns = new Set(list.flatMap((row) => Object.keys(row)));
        if (columns.size === 0 || columns.has('__proto__')) return;
        const full = list.map((row) =>
          Object.fromEntries([...columns].map((name) => [name, Object.hasOwn(row, name) ? row[name] : ''])),
        );
        expect(await read(await write(list, 'csv'), 'csv')).toEqual(full);
      }),
      // A name that every object inherits from its prototype.
      { numRuns: 200, examples: [[[{ valueOf: '' }, {}]]] },
    );
  });

  test('with any ambiguous characters is read as it was written', async () => {
    const field = string({ unit: constantFrom('\r', '\n', '"', ',', ';', ' ', '\ufeff', 'a', '='), maxLength: 4 });
    const odd = array(array(field, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 4 });
    await assert(
      asyncProperty(odd, async (list) => {
        const rows = list.map(([a = '', b = '']) => ({ a, b }));
        expect(await read(await write(rows, 'csv'), 'csv')).toEqual(rows);
        const single = list.map(([a = '']) => ({ a }));
        expect(await read(await write(single, 'csv'), 'csv')).toEqual(single);
      }),
      { numRuns: 300 },
    );
  });

  test('throws only its own errors, whatever is written', async () => {
    await assert(
      asyncProperty(array(anything({ maxDepth: 2 })), async (content) => {
        const outcome = await refusal(write(content, 'csv'));
        expect(typeof outcome === 'string' || (outcome as object) instanceof Object).toBe(true);
        expect(outcome).not.toBeInstanceOf(Error);
      }),
      { numRuns: 300 },
    );
  });

  test('has limits for lines, columns and fields', async () => {
    const lines = (count: number) => `a\n${'1\n'.repeat(count)}`;
    expect(await read(lines(ROWS_MAX), 'csv')).toHaveLength(ROWS_MAX);
    expect(await refusal(read(lines(ROWS_MAX + 1), 'csv'))).toBe('file_too_large');
    const columns = Array.from({ length: COLUMNS_MAX + 1 }, (_, i) => `c${i}`);
    expect(await refusal(read(columns.join(), 'csv'))).toBe('file_too_large');
    const wide = Object.fromEntries(columns.map((name) => [name, 1]));
    expect(await refusal(write([wide], 'csv'))).toBe('file_too_large');
    const many = Array.from({ length: CELLS_MAX / 1_000 + 1 }, () =>
      Object.fromEntries(columns.slice(1).map((name) => [name, 1])),
    );
    expect(await refusal(write(many, 'csv'))).toBe('file_too_large');
  });

  test('is read the same wherever its chunks end', async () => {
    for (let shift = 0; shift < 6; shift++) {
      const filler = 'x'.repeat(64 * 1024 - 12 + shift);
      const rows = [
        { a: filler, b: 'é"\r\n' },
        { a: '1', b: '' },
      ];
      expect(await read(await write(rows, 'csv'), 'csv')).toEqual(rows);
    }
  });

  test('releases the event loop in between when it is long', async () => {
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    await read(`a,b,c\n${'1,"2",3\n'.repeat(100_000)}`, 'csv');
    clearInterval(counting);
    expect(turns).toBeGreaterThan(3);
  });
});
