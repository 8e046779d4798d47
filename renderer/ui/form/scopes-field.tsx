import { useTranslation } from 'react-i18next';
import { SCOPES } from '#common/scopes.ts';
import type { SettingOf } from './setting-props.ts';
import { useAct, useFormContext } from './form-context.tsx';
import { Frame } from './frame.tsx';
import { useKindText } from '../kind-text/use-kind-text.ts';
import { textsOf } from './texts-field.tsx';

export function ScopesField({ field, path, value, onChange }: SettingOf<'scopes'>) {
  const kindText = useKindText();
  const { readOnly } = useFormContext();
  const act = useAct(onChange);
  return (
    <Frame path={path} title={kindText(field.title)} help={kindText(field.help)} required={field.required} group>
      {() => <ScopeTicks chosen={textsOf(value)} readOnly={readOnly} onChange={act} />}
    </Frame>
  );
}

interface TicksProps {
  chosen: readonly string[];
  readOnly: boolean;
  /** Each with what it means. */
  explained?: boolean;
  onChange: (scopes: string[]) => void;
}

/** The ten scopes; unknown entries of the list are removed with the next change. */
export function ScopeTicks({ chosen, readOnly, explained, onChange }: TicksProps) {
  const { t } = useTranslation();
  return (
    <div className={explained === true ? 'scope-rows' : 'scope-chips'}>
      {SCOPES.map((scope) => (
        <label key={scope} title={t(`keys.scope.${scope}`)}>
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            disabled={readOnly}
            onChange={({ target }) =>
              onChange(SCOPES.filter((one) => (one === scope ? target.checked : chosen.includes(one))))
            }
          />
          <span className="mono">{scope}</span>
          {explained === true && <small className="t3">{t(`keys.scope.${scope}`)}</small>}
        </label>
      ))}
    </div>
  );
}
