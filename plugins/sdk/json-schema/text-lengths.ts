import { _, type Ajv2020, type CodeKeywordDefinition } from 'ajv/dist/2020.js';

/** `maxLength` and `minLength`, whose counting of characters spends steps and can pause. */
export function textLengths(ajv: Ajv2020): CodeKeywordDefinition[] {
  return [textLength(ajv, 'maxLength', _`>`), textLength(ajv, 'minLength', _`<`)];
}

function textLength(ajv: Ajv2020, keyword: string, fails: ReturnType<typeof _>): CodeKeywordDefinition {
  const own = ajv.getKeyword(keyword);
  if (typeof own === 'boolean' || own.error === undefined) throw new Error(`ajv has no error for ${keyword}`);
  return {
    keyword,
    type: 'string',
    schemaType: 'number',
    error: own.error,
    code: (check) => check.fail(_`(self.slot.work.charsOf(${check.data})) ${fails} ${check.schema}`),
  };
}
