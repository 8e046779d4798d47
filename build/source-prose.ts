import { parseSync, Visitor } from 'rolldown/utils';

/** A comment or a string of a source file, on one line. */
export interface SourceText {
  /** Offset in the file. */
  readonly start: number;
  readonly text: string;
  /** A string without a period, such as a heading or a title. */
  readonly isTitle: boolean;
}

interface Comment {
  readonly type: 'Line' | 'Block';
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Strings without a space are names, codes and paths. */
const PROSE = /\S\s+\S/;

/** Comments and strings of a TypeScript file that can be prose: messages, UI texts, titles of tests. */
export function sourceTexts(file: string, source: string): SourceText[] {
  const { comments, program, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const found = commentTexts(comments, source).map(({ start, text }) => ({ start, text, isTitle: false }));
  const add = ({ start }: { readonly start: number }, text: unknown): void => {
    if (typeof text === 'string' && PROSE.test(text)) found.push({ start, text, isTitle: !text.includes('.') });
  };
  new Visitor({
    Literal: (node) => add(node, node.value),
    TemplateElement: (node) => add(node, node.value.cooked),
    JSXText: (node) => add(node, node.value),
  }).visit(program);
  return found
    .toSorted((a, b) => a.start - b.start)
    .map((text) => ({ ...text, text: text.text.replaceAll(/\s+/g, ' ').trim() }));
}

/** A sentence can continue over several `//` lines: they count as one comment. */
function commentTexts(comments: readonly Comment[], source: string): { start: number; text: string }[] {
  const found: { start: number; end: number; text: string }[] = [];
  for (const { type, value, start, end } of comments) {
    const before = found.at(-1);
    const text = type === 'Line' ? value : value.replaceAll(/^\s*\*+ ?/gm, '');
    const continues = type === 'Line' && before !== undefined && /^\r?\n[ \t]*$/.test(source.slice(before.end, start));
    if (continues) Object.assign(before, { end, text: `${before.text} ${text}` });
    else found.push({ start, end, text });
  }
  return found;
}
