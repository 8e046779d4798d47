import { useTranslation } from 'react-i18next';
import { Chip } from '#ui/chip.tsx';
import { RouteName } from '#ui/route-name.tsx';
import { TableHead } from '#ui/table-head.tsx';
import { Ago } from '#ui/time.tsx';
import { partsOf } from './key-callers.ts';
import type { RouteRow } from './rotation-view.ts';

const SHAPES = {
  old: 'warning',
  both: 'warning',
  refused: 'warning',
  untried: 'advisory',
  changed: 'passed',
  new: 'passed',
} as const;

/**
 * Each route with both keys, and the resulting state. `isRevoked`: the old key is revoked, so no state waits for it.
 */
export function RouteMatrix({ rows, isRevoked }: { rows: readonly RouteRow[]; isRevoked: boolean }) {
  const { t } = useTranslation();
  if (rows.length === 0) return <p className="body t2">{t('keysPage.matrix.none')}</p>;
  return (
    <table>
      <TableHead
        columns={[
          t('keysPage.matrix.route'),
          t('keysPage.matrix.oldLast'),
          t('keysPage.matrix.newFirst'),
          t('keys.state'),
        ]}
      />
      <tbody>
        {rows.map((row) => (
          <MatrixRow key={row.route} row={isRevoked && row.state === 'both' ? { ...row, state: 'changed' } : row} />
        ))}
      </tbody>
    </table>
  );
}

function MatrixRow({ row: { route, oldLastAt, newFirstAt, state } }: { row: RouteRow }) {
  const { t } = useTranslation();
  const { method, route: pattern } = partsOf(route);
  return (
    <tr className={SHAPES[state] === 'warning' ? 'warning-edge' : ''}>
      <td>
        <RouteName method={method} pattern={pattern} />
      </td>
      <td>
        {oldLastAt === null ? <span className="t3">{t('keysPage.matrix.notSeen')}</span> : <Ago iso={oldLastAt} />}
      </td>
      <td>
        {newFirstAt === null ? <span className="t3">{t('keysPage.matrix.notSeen')}</span> : <Ago iso={newFirstAt} />}
      </td>
      <td>
        <Chip shape={SHAPES[state]}>{t(`keysPage.matrix.state.${state}`)}</Chip>
      </td>
    </tr>
  );
}
