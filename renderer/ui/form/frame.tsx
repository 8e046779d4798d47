import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldFault } from '../field-error.tsx';
import { useFormContext } from './form-context.tsx';
import './form.css';

/** The attributes that a control inside a frame sets on its own element. */
export interface Wiring {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
}

interface Props {
  path: string;
  title: string;
  help: string;
  required: boolean;
  /** In place of the known value of the path: a text that cannot be parsed. */
  fault?: string | null;
  /** It has inner fields, which show their own errors. */
  holdsFields?: boolean;
  /** Several controls with a common label, the title. */
  group?: boolean;
  /** Beside the title. */
  side?: ReactNode;
  children: (wiring: Wiring) => ReactNode;
}

/** Title above, the control, its error, help below. */
export function Frame({ path, title, help, required, fault, holdsFields, group, side, children }: Props) {
  const { faultAt, leave, settle } = useFormContext();
  const id = useId();
  const shownFault = fault ?? faultAt(path, holdsFields !== true);
  const described = [shownFault === null ? '' : `${id}-fault`, help === '' ? '' : `${id}-help`].filter(
    (one) => one !== '',
  );
  const wiring: Wiring = {
    id,
    'aria-describedby': described.length === 0 ? undefined : described.join(' '),
    'aria-invalid': shownFault === null ? undefined : true,
    'aria-required': required ? true : undefined,
  };
  const left = (event: React.FocusEvent<HTMLElement>) => {
    if (event.currentTarget.contains(event.relatedTarget)) return;
    settle();
    leave(path);
  };
  const inner = (
    <>
      <Head id={id} title={title} required={required} group={group === true} side={side} />
      {children(wiring)}
      {shownFault !== null && (
        <p id={`${id}-fault`} className="mantine-InputWrapper-error">
          <FieldFault text={shownFault} />
        </p>
      )}
      {help !== '' && (
        <p id={`${id}-help`} className="mantine-InputWrapper-description">
          {help}
        </p>
      )}
    </>
  );
  const attributes = { className: 'setting', 'data-field': path, onBlur: left };
  if (group !== true) return <div {...attributes}>{inner}</div>;
  return (
    <fieldset {...attributes} aria-labelledby={`${id}-title`} aria-describedby={wiring['aria-describedby']}>
      {inner}
    </fieldset>
  );
}

function Head(props: { id: string; title: string; required: boolean; group: boolean; side: ReactNode }) {
  const { t } = useTranslation();
  const { id, title, required, group, side } = props;
  return (
    <div className="setting-head">
      {group ? (
        <span id={`${id}-title`} className="setting-title">
          {title}
        </span>
      ) : (
        <label id={`${id}-title`} htmlFor={id} className="setting-title">
          {title}
        </label>
      )}
      {/* The control has the same description, except a group, which cannot have one. */}
      {required && (
        <small className="t3" aria-hidden={!group}>
          {t('editorForm.required')}
        </small>
      )}
      <span className="grow" />
      {side}
    </div>
  );
}
