/**
 * Makes the code that ajv generates count its own work: each function call and each loop iteration spends steps in
 * proportion to the length of its code, so that nested unions, references and long lists count towards the same budget
 * (check-budget.ts). Because steps are counted and not time, a check has the same result on a busy machine.
 *
 * ajv is pinned. Generated code of an unknown form is refused, so that every loop is counted.
 */
const FUNCTION_START = 'let vErrors = null;';
/** `for(let i0=0; i0<len0; i0++){`, `for(const key0 of Object.keys(data)){`, `for(const v0 of schema1){`. */
const LOOP_START = /for\((?:const|let) [\w$]+(?: of [\w$.()[\]]+|=[^{}"]*)\)\{/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const COMMENT = /\/\*.*?\*\//sy;
/** Characters of generated code that count as one step: a comparison with its branch. */
const CHARS_PER_STEP = 200;

interface Block {
  /** Where the spending is inserted; null for a block that is neither a function nor a loop. */
  at: number | null;
  chars: number;
}

/**
 * Inserts `self.slot.work.budget.spend(n)` at the beginning of each function and each loop iteration. Throws Error on
 * other code.
 */
export function meteredCode(code: string): string {
  if (!code.includes('vErrors')) return code;
  const insertions = insertionsFor(code);
  let from = 0;
  const parts = insertions.flatMap(({ at, steps }) => {
    const part = [code.slice(from, at), `self.slot.work.budget.spend(${steps});`];
    from = at;
    return part;
  });
  return parts.join('') + code.slice(from);
}

function insertionsFor(code: string): { at: number; steps: number }[] {
  const open: Block[] = [];
  const insertions: { at: number; steps: number }[] = [];
  for (let i = 0; i < code.length;) {
    const end = tokenEnd(code, i);
    if (code[i] === '{') open.push({ at: null, chars: 0 });
    if (code.startsWith('for(', i)) open.push({ at: end, chars: 0 });
    if (code[i] === '}') closeBlock(open, insertions);
    const block = open.at(-1);
    if (block !== undefined) block.chars += end - i;
    if (block !== undefined && code.startsWith(FUNCTION_START, i)) block.at = end;
    i = end;
  }
  if (insertions.length === 0 || open.length > 0) throw unknownForm();
  return insertions.toSorted((a, b) => a.at - b.at);
}

/**
 * Strings, comments and the places where work is counted are tokens; everything else is read character by character.
 */
function tokenEnd(code: string, at: number): number {
  if (code.startsWith(FUNCTION_START, at)) return at + FUNCTION_START.length;
  if (code.startsWith('/*', at)) return matchEnd(COMMENT, code, at);
  if (code[at] === '"') return matchEnd(STRING, code, at);
  if (code.startsWith('for(', at)) return matchEnd(LOOP_START, code, at);
  if (code.startsWith('while(', at) || code.startsWith('do{', at)) throw unknownForm();
  return at + 1;
}

function matchEnd(pattern: RegExp, code: string, at: number): number {
  pattern.lastIndex = at;
  if (!pattern.test(code)) throw unknownForm();
  return pattern.lastIndex;
}

/** The text of a plain block belongs to the function or loop around it. */
function closeBlock(open: Block[], insertions: { at: number; steps: number }[]): void {
  const block = open.pop();
  if (block === undefined) throw unknownForm();
  if (block.at !== null) insertions.push({ at: block.at, steps: 1 + Math.floor(block.chars / CHARS_PER_STEP) });
  const around = open.at(-1);
  if (block.at === null && around !== undefined) around.chars += block.chars;
}

function unknownForm(): Error {
  return new Error('the code that ajv makes has another form than expected');
}
