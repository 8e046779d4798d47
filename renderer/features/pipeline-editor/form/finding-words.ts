import type { TFunction } from 'i18next';
import { ruleText } from '#api/rule-text.ts';
import type { CheckFinding } from '#common/model/pipeline.ts';
import type { QuickFix } from './quick-fixes.ts';

const KNOWN = [
  'scope_not_required',
  'scope_not_granted',
  'public_route',
  'reply_missing',
  'sensitive_header',
  'unreachable',
  'wire_twice',
  'port_unknown',
] as const;

/** The text of the button that fixes it. */
export function quickFixText(t: TFunction, { code, values }: QuickFix): string {
  return t(`editorForm.quickFix.${code}`, { scope: '', header: '', ...values });
}

/** An issue as two sentences: the condition and its effect. Unknown ones are shown in the server's English. */
export function findingWords(
  t: TFunction,
  finding: CheckFinding,
  quickFix: QuickFix | null,
): { title: string; text: string } {
  const code = KNOWN.find((one) => one === finding.code);
  if (finding.code === 'resource_missing')
    return { title: missingText(t, finding.message), text: t('editorForm.missing.text') };
  if (isParam(finding.code))
    return { title: paramText(t, finding.code, finding.message), text: t('editorForm.param.text') };
  const values = { scope: '', header: '', ...quickFix?.values };
  const blank = values.scope === '' && values.header === '';
  if (code === undefined || (blank && NEEDS_VALUES.has(code))) return { title: ruleText(finding).text, text: '' };
  return {
    title: t(`editorForm.finding.${code}.title`, values),
    text: t(`editorForm.finding.${code}.text`, values),
  };
}

const NEEDS_VALUES: ReadonlySet<string> = new Set(['scope_not_required', 'scope_not_granted', 'sensitive_header']);

/** The message about a missing resource, as a sentence. */
export function missingText(t: TFunction, message: string): string {
  const [, word, id = ''] = /^there is no (\w+) "(.*)" in this project$/s.exec(message) ?? [];
  const known = MISSING.find((one) => one === word);
  return known === undefined ? message : t(`editorForm.missing.${known}`, { id });
}

type ParamCode = 'param_missing' | 'param_unknown';

export function isParam(code: string): code is ParamCode {
  return code === 'param_missing' || code === 'param_unknown';
}

/** A missing value of SQL, or an extra one. */
export function paramText(t: TFunction, code: ParamCode, message: string): string {
  const name = /"(\w+)"/.exec(message)?.[1];
  return name === undefined ? message : t(`editorForm.param.${code}`, { name });
}

const MISSING = ['connection', 'query', 'tag', 'script'] as const;
