import { isDotSegment } from './dot-segment.ts';

/**
 * URL patterns (docs/spec/routes.md#patterns): `/`, then segments separated by `/`; a segment is a literal or `:name`.
 * A trailing slash is part of the pattern: it is parsed as an empty last literal.
 */
export type Segment = { readonly literal: string } | { readonly param: string };

export interface UrlPattern {
  readonly source: string;
  readonly segments: readonly Segment[];
}

export type PatternResult = { ok: true; pattern: UrlPattern } | { ok: false; message: string };

export const PATTERN_CHARS_MAX = 1024;

const LITERAL = /^[A-Za-z0-9\-._~!$&'()+,;=@]+$/;
const PARAM = /^:[A-Za-z_][A-Za-z0-9_]*$/;

export function parsePattern(source: string): PatternResult {
  if (!source.startsWith('/'))
    return refuse(`must start with "/", such as /api/v1/orders/:id; it is "${clip(source)}"`);
  if (source.length > PATTERN_CHARS_MAX) return refuse(`must have at most ${PATTERN_CHARS_MAX} characters`);
  const parts = source.slice(1).split('/');
  const segments: Segment[] = [];
  const names = new Set<string>();
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1;
    if (part === '' && !last) return refuse('must not have an empty segment ("//")');
    if (part.startsWith(':')) {
      if (!PARAM.test(part))
        return refuse(
          `has a bad parameter "${clip(part)}"; expected :name made of letters, digits and "_", not starting with a digit`,
        );
      const name = part.slice(1);
      if (names.has(name)) return refuse(`uses the parameter :${clip(name)} twice`);
      names.add(name);
      segments.push({ param: name });
      continue;
    }
    if (part !== '' && !LITERAL.test(part)) {
      return refuse(
        `has a segment "${clip(part)}" that is neither :name nor made of letters, digits and -._~!$&'()+,;=@`,
      );
    }
    if (isDotSegment(part)) return refuse(`has the segment "${part}", which clients resolve before they call`);
    segments.push({ literal: part });
  }
  return { ok: true, pattern: { source, segments } };
}

/** Two patterns with the same shape match the same paths: names of parameters are ignored. */
export function patternShape(pattern: UrlPattern): string {
  return '/' + pattern.segments.map((segment) => ('literal' in segment ? segment.literal : ':')).join('/');
}

function refuse(message: string): PatternResult {
  return { ok: false, message };
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
