import { expect, test } from 'vitest';
import { meteredCode } from './metered-code.ts';

const start = 'let vErrors = null;';

test('a function and each of its loops cost as much as the length of their own code', () => {
  const loop = `for(let i0=0; i0<len0; i0++){${'x();'.repeat(100)}}`;
  expect(meteredCode(`function a(data){${start}${loop}}`)).toBe(
    `function a(data){${start}self.slot.work.budget.spend(1);for(let i0=0; i0<len0; i0++){self.slot.work.budget.spend(3);${'x();'.repeat(100)}}}`,
  );
});

test('braces, loops and comments inside strings do not count as code', () => {
  const text = `const a = "for(;;){ \\" } /*";`;
  expect(meteredCode(`function a(data){/*# sourceURL="a{" */${start}${text}}`)).toBe(
    `function a(data){/*# sourceURL="a{" */${start}self.slot.work.budget.spend(1);${text}}`,
  );
});

test.for<[string, string]>([
  ['a loop of another form', `function a(data){${start}for(;;){}}`],
  ['a while loop', `function a(data){${start}while(true){}}`],
  ['a function that begins otherwise', 'function a(data){let vErrors = [];}'],
  ['a block that is not closed', `function a(data){${start}`],
])('%s is refused: it would evade the metering', ([, code]) => {
  expect(() => meteredCode(code)).toThrow('has another form than expected');
});
