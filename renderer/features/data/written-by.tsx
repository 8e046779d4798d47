import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { AuditRow, WriteKind } from '#common/model/audit.ts';
import { useWrites } from '#api/journal-queries.ts';
import { usePermission } from '#api/session.ts';
import { LoadError } from '#ui/load-error.tsx';
import { Ago } from '#ui/time.tsx';

interface Props {
  project: string;
  kind: WriteKind;
  /** The path of a tag or the name of a variable. */
  thing: string;
}

/** The newest writes of a tag or a variable, for users who may read the journal. */
export function WrittenBy(props: Props) {
  return usePermission('view_audit') ? <WriteList {...props} /> : null;
}

function WriteList({ project, kind, thing }: Props) {
  const { t } = useTranslation();
  const name = `${kind}:${thing}`;
  const writes = useWrites(project, name);
  return (
    <section className="stack tight" aria-label={t('data.writes.title')}>
      <h3>{t('data.writes.title')}</h3>
      {writes.isError && <LoadError error={writes.error} />}
      {writes.data?.length === 0 && <p className="t2">{t('data.writes.none')}</p>}
      {writes.data !== undefined && writes.data.length > 0 && (
        <ul className="write-list">
          {writes.data.map((row) => (
            <WriteLine key={row.write} row={row} />
          ))}
        </ul>
      )}
      <Link className="touch" href={`/journal?show=written&thing=${encodeURIComponent(name)}`}>
        {t('data.writes.all')}
      </Link>
    </section>
  );
}

function WriteLine({ row }: { row: AuditRow }) {
  const { t } = useTranslation();
  const { time, from, first, to, user, keyName, pipeline, node, count, result = 'unknown', code } = row;
  const value = [from, first, to].filter((part) => part !== undefined).join(' → ');
  const by = [user ?? keyName, pipeline, node].filter((part) => part !== undefined).join(', ');
  return (
    <li>
      <span className="mono break three-lines" title={value}>
        {value === '' ? '…' : value}
      </span>
      {count !== undefined && <span className="t2"> {t('data.writes.times', { count })}</span>}
      {result !== 'done' && (
        <b>
          {' '}
          {t(`data.writes.result.${result}`)}
          {code !== undefined && ` (${code})`}
        </b>
      )}
      <br />
      <span className="t2">
        {by === '' ? row.ip : by}, <Ago iso={time} />
      </span>
    </li>
  );
}
