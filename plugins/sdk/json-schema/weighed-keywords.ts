import { _, type Ajv2020, type Code, type CodeKeywordDefinition, type KeywordCxt } from 'ajv/dist/2020.js';
import { countParts } from './count-parts.ts';

/**
 * Keywords whose code is short but whose work grows with the value or with their own text: the length of the code that
 * ajv generates (metered-code.ts) says nothing about it, so each spends before it reads.
 */
type Weigh = (keyword: KeywordCxt) => Code;

/** Parts that `const` compares in one step. */
const PARTS_PER_STEP = 8;
/** Schemas have at most this many (schema-limits.ts). */
const PARTS_MAX = 2_000;

const ofProperties: Weigh = ({ data }) => _`Object.keys(${data}).length`;
const ofParts: Weigh = ({ schema }) => _`${Math.ceil(partsToCompare(schema) / PARTS_PER_STEP)}`;

const WEIGHED: Readonly<Record<string, Weigh>> = {
  maxProperties: ofProperties,
  minProperties: ofProperties,
  const: ofParts,
  enum: (keyword) => {
    const parts = (keyword.schema as readonly unknown[]).map(partsToCompare);
    return _`${Math.ceil(parts.reduce((sum, count) => sum + count, 0) / PARTS_PER_STEP)}`;
  },
};

/** Plain values are compared by the code itself, which is counted. */
function partsToCompare(value: unknown): number {
  return typeof value === 'object' && value !== null ? countParts(value, PARTS_MAX) : 0;
}

/** Replaces ajv's own keywords with metered ones. Throws Error if one of ajv has another form than expected. */
export function weighKeywords(ajv: Ajv2020): void {
  for (const [keyword, weigh] of Object.entries(WEIGHED)) {
    const own = ajv.getKeyword(keyword);
    if (typeof own === 'boolean' || !('code' in own)) throw new Error(`ajv has no code for the keyword ${keyword}`);
    ajv.removeKeyword(keyword);
    ajv.addKeyword(weighed({ ...own, keyword }, weigh));
  }
}

/** The checks of these keywords see the value only after a check of its type. */
function weighed(own: CodeKeywordDefinition, weigh: Weigh): CodeKeywordDefinition {
  return {
    ...own,
    code(keyword, ruleType) {
      keyword.gen.code(_`self.slot.work.budget.spend(${weigh(keyword)})`);
      own.code(keyword, ruleType);
    },
  };
}
