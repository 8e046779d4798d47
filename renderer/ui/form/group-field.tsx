import { useTranslation } from 'react-i18next';
import { Segments } from '../segments.tsx';
import { useAct, useFormContext } from './form-context.tsx';
import { Frame } from './frame.tsx';
import { useKindText } from '../kind-text/use-kind-text.ts';
import type { SettingOf } from './setting-props.ts';
import { isValues } from './values.ts';

/** An object of settings inside the settings. */
export function GroupField({ field, control, path, value, onChange }: SettingOf<'group'>) {
  const kindText = useKindText();
  const { Fields } = useFormContext();
  return (
    <Frame
      path={path}
      title={kindText(field.title)}
      help={kindText(field.help)}
      required={field.required}
      holdsFields
      group
    >
      {() => (
        <div className="setting-row">
          <Fields fields={control.fields} values={isValues(value) ? value : {}} path={path} onChange={onChange} />
        </div>
      )}
    </Frame>
  );
}

/** It can be omitted as a whole. */
export function OptionalField({ field, control, path, value, onChange }: SettingOf<'optional'>) {
  const { t } = useTranslation();
  const kindText = useKindText();
  const { readOnly, Fields } = useFormContext();
  const act = useAct(onChange);
  const title = kindText(field.title);
  const choose = (choice: 'none' | 'given') => {
    if (!readOnly && (choice === 'given') !== isValues(value)) act(choice === 'given' ? {} : undefined);
  };
  return (
    <Frame path={path} title={title} help={kindText(field.help)} required={field.required} holdsFields group>
      {() => (
        <>
          <Segments
            label={title}
            value={isValues(value) ? 'given' : 'none'}
            options={[
              { value: 'none', label: t('editorForm.none') },
              { value: 'given', label: t('editorForm.given') },
            ]}
            onChange={choose}
          />
          {isValues(value) && (
            <div className="setting-row">
              <Fields fields={control.fields} values={value} path={path} onChange={onChange} />
            </div>
          )}
        </>
      )}
    </Frame>
  );
}
