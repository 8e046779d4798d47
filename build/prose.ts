/**
 * Words and phrases that the documentation does not use, each with a replacement. They are literal translations, archaic,
 * or have a standard term in the glossary (docs/GLOSSARY.md). Code, links and quoted texts of the admin UI (in italics) are not
 * checked. One list for every kind of text, so that comments and UI texts can be checked with it too.
 */
interface Avoided {
  readonly pattern: RegExp;
  readonly instead: string;
}

export const AVOIDED: readonly Avoided[] = [
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\b(?:is|are|was|were|be) none\b/i, instead: 'is not …, has no …' },
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
  // A clause as subject: "What is not set stays", "Who calls again gets". Questions are allowed.
  {
    pattern: /(?:^|[.:;] |\| |- )(?:What|Who|Whose)\b(?! *\|| to\b)(?![^.;|]*\?)(?![^.;|]*:$)/m,
    instead: 'a noun as subject',
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
  const lines = proseOf(markdown).split('\n');
  return lines.flatMap((text, index) =>
    AVOIDED.flatMap(({ pattern, instead }) => {
      const words = pattern.exec(text)?.[0].trim();
      return words === undefined ? [] : [{ line: index + 1, words, instead }];
    }),
  );
}

/** Without code, link targets and texts in italics; lines keep their numbers. */
function proseOf(markdown: string): string {
  return markdown
    .replaceAll(/^( *)```[^]*?^\1```/gm, (block) => block.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`\n]*`/g, '``')
    .replaceAll(/\]\([^)\n]*\)/g, ']()')
    .replaceAll(/(?<![\w`])_[^_\n]+_(?!\w)/g, '__');
}
