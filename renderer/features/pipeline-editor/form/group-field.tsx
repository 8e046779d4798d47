import { useTranslation } from 'react-i18next';
import { Segments } from '#ui/segments.tsx';
import { useAct, useFormContext } from './form-context.tsx';
import { Frame } from './frame.tsx';
import { useKindText } from '#ui/kind-text/use-kind-text.ts';
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

/** It can be left out whole. */
export function OptionalField({ field, control, path, value, onChange }: SettingOf<'optional'>) {
  const { t } = useTranslation();
  const kindText = useKindText();
  const { readOnly, Setting } = useFormContext();
  const act = useAct(onChange);
  const isGiven = value !== undefined && value !== null;
  const title = kindText(field.title);
  return (
    <>
      <Frame path={`${path}?`} title={title} help={isGiven ? '' : kindText(field.help)} required={field.required} group>
        {() => (
          <Segments
            label={title}
            value={isGiven ? 'given' : 'none'}
            options={[
              { value: 'none', label: t('editorForm.none') },
              { value: 'given', label: t('editorForm.given') },
            ]}
            onChange={(choice) => {
              if (!readOnly && (choice === 'given') !== isGiven) act(choice === 'given' ? {} : undefined);
            }}
          />
        )}
      </Frame>
      {isGiven && <Setting field={field} control={control.inner} path={path} value={value} onChange={onChange} />}
    </>
  );
}
