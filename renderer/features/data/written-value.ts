import type { TagType } from '#common/model/tag.ts';
import { numberOr } from './tag-fields.ts';

export type Written = { kind: 'value'; value: unknown } | { kind: 'number' | 'integer' | 'json' };

/** The input as a value of the tag's type, or the expected format. */
export function writtenValue(type: TagType, text: string): Written {
  switch (type) {
    case 'number':
    case 'integer': {
      const value = numberOr(text);
      if (typeof value !== 'number') return { kind: 'number' };
      if (type === 'number') return { kind: 'value', value };
      // `1.000` could mean a thousand.
      return Number.isSafeInteger(value) && !/[.,]/.test(text) ? { kind: 'value', value } : { kind: 'integer' };
    }
    case 'boolean':
      return { kind: 'value', value: text === 'true' };
    case 'text':
      return { kind: 'value', value: text };
    case 'json':
      return jsonValue(text);
  }
}

export function jsonValue(text: string): Written {
  try {
    return { kind: 'value', value: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'json' };
  }
}
