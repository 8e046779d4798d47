/**
 * Adds to the code that ajv generates for a schema the same check as a generator, `validate.steps`, which pauses when
 * the budget requires it. Both share the properties that ajv writes to the function: `errors` and `evaluated`, which
 * are read as soon as it returns, before the next pause.
 *
 * ajv is pinned. Generated code of an unknown form is refused.
 */
const PARTS = /^(?<scope>.*?)return function (?<name>validate\d+)(?<rest>\(.*)$/s;
/** Text and comments are not code. */
const TEXT = /("(?:[^"\\]|\\.)*"|\/\*.*?\*\/)/s;

const SPEND = /(self\.slot\.work\.budget\.spend\([^;]*\));/g;
const CALL = /([\w$.]+)\((data\d*), \{instancePath/g;
const MATCH = /(pattern\d+)\.test\(([\w$]+)\)/g;
const WORK = /self\.slot\.work\.(areUnique|charsOf)\(/g;

/** Throws Error on code of another form. */
export function steppedCode(code: string): string {
  if (!code.includes('vErrors')) return code;
  const { scope, name, rest } = PARTS.exec(code)?.groups ?? {};
  if (scope === undefined || rest === undefined)
    throw new Error('the code that ajv makes has another form than expected');
  return `${scope}const ${name} = function ${name}${rest};${name}.steps = function*${inSteps(rest)};return ${name};`;
}

function inSteps(code: string): string {
  const parts = code.split(TEXT);
  return parts.map((part, index) => (index % 2 === 1 ? part : withPauses(part))).join('');
}

function withPauses(code: string): string {
  return code
    .replaceAll(SPEND, 'if($1)yield;')
    .replaceAll(CALL, 'yield* $1.steps($2, {instancePath')
    .replaceAll(MATCH, '(yield* self.slot.work.matchesInSteps($1.pattern, $2))')
    .replaceAll(WORK, 'yield* self.slot.work.$1InSteps(');
}
