import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeSetting } from './code-setting.tsx';
import type { SettingOf } from './setting-props.ts';
import { useFormContext } from './form-context.tsx';
import { Frame } from './frame.tsx';
import { lineOf, readLine, typeOf } from './json-line.ts';
import { useKindText } from '../kind-text/use-kind-text.ts';
import { usePlaceholder } from './use-placeholder.ts';
import { useText } from './use-text.ts';

/** Any JSON value in one line, with its type; long lists and objects from outside are edited as JSON. */
export function AnyField(props: SettingOf<'any'>) {
  // Decided by the initial value: a line that grows during typing remains the same field.
  const [isLong] = useState(() => typeof props.value === 'object' && lineOf(props.value).length > LINE_CHARS_MAX);
  if (isLong) return <CodeSetting {...props} control={{ kind: 'code', language: 'json' }} />;
  return <AnyLine {...props} />;
}

function AnyLine({ field, path, value, onChange }: SettingOf<'any'>) {
  const { t } = useTranslation();
  const kindText = useKindText();
  const { readOnly } = useFormContext();
  const { text, isWrong, type, leave } = useText(value, lineOf, readLine, onChange);
  const kind = typeOf(value);
  const placeholder = usePlaceholder();
  return (
    <Frame
      path={path}
      title={kindText(field.title)}
      help={kindText(field.help)}
      required={field.required}
      fault={isWrong ? t('editorForm.fault.json') : null}
    >
      {(wiring) => (
        <span className="setting-amount">
          <input
            {...wiring}
            type="text"
            className="setting-input"
            value={text}
            placeholder={placeholder(field.preset, path)}
            readOnly={readOnly}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => type(event.target.value)}
            onBlur={leave}
          />
          <span className="setting-unit">{isWrong ? '?' : t(`editorForm.type.${kind}`)}</span>
        </span>
      )}
    </Frame>
  );
}

const LINE_CHARS_MAX = 40;
