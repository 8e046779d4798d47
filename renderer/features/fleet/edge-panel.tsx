import { useTranslation } from 'react-i18next';
import type { EdgeFleet } from '#common/contract/fleet.ts';
import { useProjects } from '#api/queries.ts';
import { Chip } from '#ui/chip.tsx';
import { Fact } from '#ui/fact.tsx';
import { Note } from '#ui/note.tsx';
import { Panel } from '#ui/panel.tsx';
import { Ago } from '#ui/time.tsx';
import { EDGE_SHAPES, edgeState, isTroubled } from './edge-state.ts';

/** The hub of an edge, and the project that it manages. */
export function EdgePanel({ fleet }: { fleet: EdgeFleet }) {
  const { t } = useTranslation();
  const projects = useProjects().data ?? [];
  const { hub, lastContact, have, project, phase, reason } = fleet;
  const state = edgeState({ ...fleet, epoch: have.epoch });
  const name = projects.find(({ id }) => id === project)?.name ?? project;
  return (
    <>
      {fleet.contact !== 'connected' && <Note kind="warning" title={t('fleet.onEdge.cutOff')} />}
      <Panel>
        <div className="body stack tight">
          <dl className="facts">
            <Fact name={t('fleet.onEdge.hub')}>
              <span className="mono">{hub}</span>
            </Fact>
            <Fact name={t('fleet.state')}>
              <Chip shape={EDGE_SHAPES[state]}>{t(`fleet.states.${state}`)}</Chip>
            </Fact>
            <Fact name={t('fleet.lastContact')}>
              <Ago iso={lastContact} />
            </Fact>
            <Fact name={t('fleet.onEdge.managed')}>
              {name === null ? t('fleet.onEdge.nothing') : t('fleet.onEdge.project', { project: name })}
            </Fact>
            <Fact name={t('fleet.assignment')}>
              {have.epoch === 0 ? t('fleet.none') : t('fleet.inForce', { epoch: have.epoch })}
            </Fact>
            {isTroubled({ phase }) && reason !== null && (
              <Fact name={t('fleet.onEdge.reason')}>
                <span className="wrap-any">{reason}</span>
              </Fact>
            )}
          </dl>
          {name !== null && <p>{t('fleet.onEdge.help')}</p>}
        </div>
      </Panel>
    </>
  );
}
