import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useConnectionChoices, useDefinitions } from '#api/definition-queries.ts';
import { EMBEDDED_CONNECTION } from '#common/model/connection.ts';
import { Icon } from '../icon.tsx';
import { useAct, useFormContext } from './form-context.tsx';
import type { InputProps } from './input-props.ts';

/** A named query of the project: its parameters, its connection, and a link to it. */
export function QuerySelect(props: InputProps) {
  const { t } = useTranslation();
  const { project } = useFormContext();
  const queries = useDefinitions(project, 'queries').data;
  const chosen = queries?.find(({ id }) => id === props.value);
  return (
    <>
      <Choice {...props} ids={queries?.map(({ id }) => id)} />
      {chosen !== undefined && (
        <small className="t3">
          {t('editorForm.queryFacts', { count: chosen.params.length, connection: chosen.connection })}{' '}
        </small>
      )}
      <Link className="setting-link" href={placeOf('queries', project, chosen?.id)}>
        {t(chosen === undefined ? 'editorForm.openQueries' : 'editorForm.openQuery')}
      </Link>
    </>
  );
}

export function ResourceSelect({ of, ...props }: InputProps & { of: 'connection' | 'script' }) {
  return of === 'script' ? <ScriptSelect {...props} /> : <ConnectionSelect {...props} />;
}

function ScriptSelect(props: InputProps) {
  const { t } = useTranslation();
  const { project } = useFormContext();
  const scripts = useDefinitions(project, 'scripts').data;
  const chosen = scripts?.find(({ id }) => id === props.value);
  return (
    <>
      <Choice {...props} ids={scripts?.map(({ id }) => id)} />
      {chosen !== undefined && chosen.description !== '' && <small className="t3">{chosen.description} </small>}
      <Link className="setting-link" href={placeOf('scripts', project, chosen?.id)}>
        {t(chosen === undefined ? 'editorForm.openScripts' : 'editorForm.openScript')}
      </Link>
    </>
  );
}

function ConnectionSelect(props: InputProps) {
  const { project } = useFormContext();
  const connections = useConnectionChoices(project).data;
  const ids = connections?.map(({ id }) => id).filter((id) => id !== EMBEDDED_CONNECTION);
  return <Choice {...props} ids={ids && [EMBEDDED_CONNECTION, ...ids]} />;
}

function placeOf(part: 'queries' | 'scripts', project: string, id: string | undefined): string {
  const chosen = id === undefined ? '' : `&open=${encodeURIComponent(id)}`;
  return `/data/${part}?project=${encodeURIComponent(project)}${chosen}`;
}

/** `ids` undefined: they are still loading. An unknown id is kept and marked. */
function Choice({ wiring, value, placeholder, readOnly, ids, onChange }: InputProps & { ids: string[] | undefined }) {
  const { t } = useTranslation();
  const act = useAct(onChange);
  const lost = value !== '' && ids?.includes(value) === false;
  const known = ids ?? (value === '' ? [] : [value]);
  return (
    <span className="native full">
      <select {...wiring} value={value} disabled={readOnly} onChange={(event) => act(event.target.value)}>
        <option value="">{placeholder === '' ? t('editorForm.choose') : placeholder}</option>
        {lost && <option value={value}>{t('editorForm.lost', { id: value })}</option>}
        {known
          .filter((id) => id !== placeholder || id === value)
          .map((id) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
      </select>
      <Icon name="down" />
    </span>
  );
}
