import { sourceTexts } from './source-prose.ts';

/**
 * Words and phrases that documentation, comments, messages and test titles do not use, each with a replacement. They are
 * literal translations, archaic, or have a standard term in the glossary (docs/GLOSSARY.md). In documents, code, links and
 * quoted texts of the admin UI (in italics) are not checked.
 */
interface Avoided {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Titles of tests, dialogs and buttons may contain it. */
  readonly allowedInTitles?: true;
}

export const AVOIDED: readonly Avoided[] = [
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /(?<!\bthere )\b(?:is|are|was|were|be) none\b/i, instead: 'is not …, has no …' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix' },
  { pattern: /\bwhoever\b/i, instead: 'a caller that …, a user who …' },
  { pattern: /\b(?:whose|those) who\b/i, instead: 'users who …' },
  { pattern: /\btold\b/i, instead: 'notified, reported, receives' },
  { pattern: /\btells\b/i, instead: 'shows, reports' },
  { pattern: /\bstands\b/i, instead: 'is (in), is listed' },
  { pattern: /\b(?:go|goes|went|going) on\b/i, instead: 'continue' },
  { pattern: /\bfor ever\b/i, instead: 'forever, indefinitely' },
  { pattern: /\bof itself\b/i, instead: 'automatically' },
  { pattern: /\bput into force\b/i, instead: 'apply, take effect' },
  { pattern: /\bput(?:s|ting)? back\b/i, instead: 'restore' },
  { pattern: /\bmade (?:again|new)\b/i, instead: 'created again' },
  { pattern: /\btakes? along\b/i, instead: 'include' },
  { pattern: /\bsome (?:\d|ten\b|hundred\b|thousand\b)/i, instead: 'about' },
  { pattern: /\bbesides\b/i, instead: 'in addition' },
  { pattern: /\bmust (?:not )?needs\b/i, instead: 'must' },
  { pattern: /\blies\b/i, instead: 'is stored, is' },
  { pattern: /\bhangs? up\b/i, instead: 'disconnect' },
  { pattern: /\bhung up\b/i, instead: 'disconnected' },
  { pattern: /\bof (?:one's|its|their) own accord\b/i, instead: 'automatically' },
  { pattern: /\bin (?:words|figures)\b/i, instead: 'in plain text, in digits' },
  { pattern: /\bis (?:to be )?had\b/i, instead: 'is available' },
  { pattern: /\bthere (?:is|are) (?:that|such)\b/i, instead: 'exists' },
  { pattern: /\bsuch as are\b/i, instead: 'those that' },
  { pattern: /\bmost lately\b/i, instead: 'most recently' },
  { pattern: /\bat hand\b/i, instead: 'available' },
  { pattern: /\bthe like\b/i, instead: 'similar' },
  { pattern: /\bcannot but\b/i, instead: 'must' },
  { pattern: /\bno (?:\w+ )?that there is\b/i, instead: 'does not exist' },
  { pattern: /\bover a (?:re)?start\b/i, instead: 'across a restart' },
  { pattern: /\bsigns? of life\b/i, instead: 'heartbeat' },
  { pattern: /\bcurl lines?\b/i, instead: 'curl command' },
  { pattern: /\bat present\b|\bpresent (?:rate|state|value)\b/i, instead: 'currently, current' },
  { pattern: /\bin the same manner\b/i, instead: 'in the same way' },
  { pattern: /\ball the same\b/i, instead: 'nevertheless' },
  { pattern: /\bin clear\b(?! text)/i, instead: 'unencrypted' },
  { pattern: /\b(?:of|is|are) ours\b/i, instead: 'of Sluice' },
  { pattern: /\bin (?:the|its|their) places? of\b/i, instead: 'in place of' },
  { pattern: /\bwithout a word\b/i, instead: 'silently' },
  { pattern: /\bfor good\b/i, instead: 'permanently' },
  { pattern: /\bhears? of\b/i, instead: 'is notified of' },
  { pattern: /\blooked for\b/i, instead: 'searched' },
  { pattern: /\bof one's own\b/i, instead: 'separate, custom' },
  // A clause as subject: "What is not set stays", "Who calls again gets". Questions are allowed.
  {
    pattern: /(?:^|[.:;] |\| |- )(?:What|Who|Whose)\b(?! *\|| to\b)(?![^.;|]*\?)(?![^.;|]*:$)/m,
    instead: 'a noun as subject',
    allowedInTitles: true,
  },
];

interface Finding {
  /** From 1. */
  readonly line: number;
  readonly words: string;
  readonly instead: string;
}

/** Findings in a Markdown text, in the order of its lines. */
export function avoidedIn(markdown: string): Finding[] {
  return proseOf(markdown)
    .split('\n')
    .flatMap((text, index) => findingsIn(text).map((found) => ({ line: index + 1, ...found })));
}

/** Findings in the comments and strings of a TypeScript file. `line`: where the comment or string begins. */
export function avoidedInSource(file: string, source: string): Finding[] {
  return sourceTexts(file, source).flatMap(({ start, text, isTitle }) =>
    findingsIn(text.replaceAll(/`[^`]*`/g, '``'), isTitle).map((found) => ({ line: lineOf(source, start), ...found })),
  );
}

function findingsIn(text: string, isTitle = false): Omit<Finding, 'line'>[] {
  return AVOIDED.flatMap(({ pattern, instead, allowedInTitles }) => {
    if (isTitle && allowedInTitles) return [];
    const words = pattern.exec(text)?.[0].trim();
    return words === undefined ? [] : [{ words, instead }];
  });
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}

/** Without code, link targets and texts in italics; lines keep their numbers. */
function proseOf(markdown: string): string {
  return markdown
    .replaceAll(/^( *)```[^]*?^\1```/gm, (block) => block.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`\n]*`/g, '``')
    .replaceAll(/\]\([^)\n]*\)/g, ']()')
    .replaceAll(/(?<![\w`])_[^_\n]+_(?!\w)/g, '__');
}
