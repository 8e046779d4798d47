import { useTranslation } from 'react-i18next';
import type { HubFleet } from '#common/contract/fleet.ts';
import type { KeyRecord } from '#common/model/records.ts';
import { useKeyOnEdges } from '#api/fleet-queries.ts';
import { useEveryKey, useProjects } from '#api/queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { NativeSelect } from '#ui/native-select.tsx';
import { Note } from '#ui/note.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { useAddress } from '#ui/use-address.ts';
import { EdgeTable } from './edge-table.tsx';

/** The edges of a hub; `?key=` is the ID of a key whose state on each edge is shown. */
export function HubPanel({ fleet }: { fleet: HubFleet }) {
  const { t } = useTranslation();
  const { read, change } = useAddress();
  const keys = useEveryKey().data ?? [];
  const chosen = keys.find(({ id }) => id === read('key')) ?? null;
  const onEdges = useKeyOnEdges(chosen);
  if (fleet.edges.length === 0)
    return (
      <Panel>
        <Empty title={t('fleet.answer.none')} help={t('fleet.noneHelp')} />
      </Panel>
    );
  const shown = chosen === null ? undefined : onEdges.data;
  return (
    <>
      <div className="row wrap">
        <KeySelect keys={keys} value={chosen?.id ?? ''} onChange={(key) => change({ key })} />
        {chosen === null && <span className="t2">{t('fleet.keyHelp')}</span>}
      </div>
      {chosen !== null && onEdges.isError && <ErrorNote error={onEdges.error} />}
      {shown?.ofFleet === false && <Note>{t('fleet.keyNotOfFleet')}</Note>}
      <EdgeTable fleet={fleet} keyOnEdges={shown?.ofFleet === true ? shown.edges : null} />
    </>
  );
}

interface SelectProps {
  keys: readonly KeyRecord[];
  value: string;
  onChange: (id: string) => void;
}

/** Valid keys first. */
function KeySelect({ keys, value, onChange }: SelectProps) {
  const { t } = useTranslation();
  const projects = useProjects().data ?? [];
  const label = ({ name, project: id, revokedAt }: KeyRecord) => {
    const project = projects.find((one) => one.id === id)?.name ?? id;
    return t(revokedAt === null ? 'fleet.keyOption' : 'fleet.keyRevoked', { name, project });
  };
  const options = keys
    .filter(({ honey }) => !honey)
    .toSorted((a, b) => Number(a.revokedAt !== null) - Number(b.revokedAt !== null))
    .map((record) => ({ value: record.id, label: label(record) }));
  return (
    <NativeSelect
      label={t('fleet.key')}
      value={value}
      options={[{ value: '', label: t('fleet.keyNone') }, ...options]}
      onChange={onChange}
    />
  );
}
