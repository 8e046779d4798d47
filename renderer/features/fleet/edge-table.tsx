import { useTranslation } from 'react-i18next';
import type { EdgeStatus, HubFleet, KeyOnEdge } from '#common/contract/fleet.ts';
import { useProjects } from '#api/queries.ts';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/now.ts';
import { Panel } from '#ui/panel.tsx';
import type { ShapeName } from '#ui/shape.tsx';
import { TableHead } from '#ui/table-head.tsx';
import { Ago, ageText } from '#ui/time.tsx';
import { EDGE_SHAPES, edgeState, isTroubled } from './edge-state.ts';

interface Props {
  fleet: HubFleet;
  /** The state of the selected key on each edge; null: none is selected. */
  keyOnEdges: readonly KeyOnEdge[] | null;
}

export function EdgeTable({ fleet: { edges, serial }, keyOnEdges }: Props) {
  const { t } = useTranslation();
  return (
    <Panel>
      <div className="scroll">
        <table>
          <TableHead
            columns={[
              t('fleet.edge'),
              t('fleet.state'),
              ...(keyOnEdges === null ? [] : [t('fleet.thisKey')]),
              t('fleet.assignment'),
              t('fleet.revocations'),
              t('fleet.version'),
              t('fleet.lastContact'),
            ]}
          />
          <tbody>
            {edges.map((edge) => (
              <EdgeRow
                key={edge.edge}
                edge={edge}
                serial={serial}
                keyState={keyOnEdges && (keyOnEdges.find((one) => one.edge === edge.edge)?.key ?? 'absent')}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

const KEY_SHAPES: Readonly<Record<KeyOnEdge['key'], ShapeName>> = {
  accepted: 'running',
  expected: 'starting',
  paused: 'paused',
  refused: 'stopped',
  unconfirmed: 'warning',
  absent: 'skipped',
};

interface RowProps {
  edge: EdgeStatus;
  serial: number;
  keyState: KeyOnEdge['key'] | null;
}

function EdgeRow({ edge, serial, keyState }: RowProps) {
  const { t } = useTranslation();
  const isAbnormal = edge.contact === 'cut off' || isTroubled(edge);
  return (
    <tr className={isAbnormal ? 'warning-edge' : ''}>
      <td>
        <b className="nowrap">{edge.edge}</b>
      </td>
      <td>
        <State edge={edge} />
      </td>
      {keyState !== null && (
        <td>
          <Chip shape={KEY_SHAPES[keyState]} quiet={keyState === 'absent'}>
            {t(`fleet.keyStates.${keyState}`)}
          </Chip>
        </td>
      )}
      <td>
        <Assignment edge={edge} />
      </td>
      <td>{edge.have === null ? t('fleet.unknown') : <Revocations missing={serial - edge.have.serial} />}</td>
      <td>{edge.version ?? t('fleet.unknown')}</td>
      <td>
        <Ago iso={edge.lastContact} />
      </td>
    </tr>
  );
}

function State({ edge }: { edge: EdgeStatus }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const state = edgeState(edge);
  return (
    <span className="two">
      <Chip shape={EDGE_SHAPES[state]}>{t(`fleet.states.${state}`)}</Chip>
      {state === 'cutOff' && edge.lastContact !== null && (
        <small>{t('fleet.since', { time: ageText(t, i18n.language, edge.lastContact, now) })}</small>
      )}
      {state === 'never' && <small>{t('fleet.neverHelp')}</small>}
      {isTroubled(edge) && edge.reason !== null && <small className="wrap-any">{edge.reason}</small>}
    </span>
  );
}

function Assignment({ edge: { project, epoch, have } }: { edge: EdgeStatus }) {
  const { t } = useTranslation();
  const projects = useProjects().data ?? [];
  if (project === null) return <span className="t3">{t('fleet.none')}</span>;
  const inForce = have?.epoch ?? 0;
  const text =
    inForce >= epoch
      ? t('fleet.inForce', { epoch })
      : inForce === 0
        ? t('fleet.notYet', { newest: epoch })
        : t('fleet.behind', { newest: epoch, epoch: inForce });
  return (
    <span className="two">
      {projects.find(({ id }) => id === project)?.name ?? project}
      <small>{text}</small>
    </span>
  );
}

function Revocations({ missing }: { missing: number }) {
  const { t } = useTranslation();
  return missing <= 0 ? t('fleet.allRevocations') : <b>{t('fleet.missing', { count: missing })}</b>;
}
