import type { CallAnswer } from '#common/contract/client.ts';
import type { KeyOnEdge } from '#common/contract/fleet.ts';
import { useTranslation } from 'react-i18next';
import { useKeyOnEdges } from '#api/fleet-queries.ts';
import { Dialog } from '#ui/dialog.tsx';
import { DialogFoot } from '#ui/dialog-foot.tsx';
import { Note } from '#ui/note.tsx';
import { useNow } from '#ui/now.ts';
import { ageText } from '#ui/time.tsx';

export type Revoked = CallAnswer<'POST /projects/:project/keys/:key/revoke'>;
type Edge = Pick<KeyOnEdge, 'edge' | 'contact' | 'lastContact' | 'key'>;

/** After a revocation on a hub: which edges have confirmed it. Continues while the dialog is open. */
export function RevokedOnEdges({ revoked, onClose }: { revoked: Revoked; onClose: () => void }) {
  const { t } = useTranslation();
  const { name, fleetError } = revoked;
  const onEdges = useKeyOnEdges(revoked);
  const edges = onEdges.data?.edges ?? edgesIn(revoked);
  return (
    <Dialog
      title={t('fleet.revoked.title', { name })}
      onDismiss={onClose}
      foot={<DialogFoot keep={t('common.close')} onKeep={onClose} />}
    >
      {fleetError === undefined ? (
        <Edges edges={edges} />
      ) : (
        <Note kind="error" title={t('fleet.revoked.unknownTitle')}>
          <p>{t('fleet.revoked.unknown', { reason: fleetError })}</p>
          <p>{t('fleet.revoked.again')}</p>
        </Note>
      )}
    </Dialog>
  );
}

/** The lists of the response, until newer ones have been read. */
function edgesIn({ fleet }: Revoked): Edge[] {
  if (fleet === undefined) return [];
  const connected = (key: Edge['key']) => (edge: string) =>
    ({ edge, contact: 'connected', lastContact: null, key }) as const;
  return [
    ...fleet.confirmed.map(connected('refused')),
    ...fleet.silent.map(connected('unconfirmed')),
    ...fleet.cutOff.map(
      ({ edge, since }) => ({ edge, contact: 'cut off', lastContact: since, key: 'unconfirmed' }) as const,
    ),
  ];
}

function Edges({ edges }: { edges: readonly Edge[] }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const confirmed = edges.filter(({ key }) => key === 'refused');
  const open = edges.filter(({ key }) => key !== 'refused');
  const silent = open.filter(({ contact }) => contact === 'connected');
  const cutOff = open.filter(({ contact }) => contact !== 'connected');
  const total = edges.length;
  const since = ({ edge, lastContact }: Edge) =>
    lastContact === null
      ? t('fleet.revoked.edgeNever', { edge })
      : t('fleet.revoked.edgeSince', { edge, time: ageText(t, i18n.language, lastContact, now) });
  if (total === 0) return <p>{t('fleet.revoked.none')}</p>;
  return (
    <>
      <output>
        <b>
          {open.length === 0
            ? t('fleet.revoked.all', { count: total })
            : t('fleet.revoked.some', { confirmed: confirmed.length, total })}
        </b>
      </output>
      <Names title={t('fleet.revoked.cutOff')} names={cutOff.map(since)} help={t('fleet.revoked.cutOffHelp')} />
      <Names title={t('fleet.revoked.silent')} names={silent.map(({ edge }) => edge)} />
      <Names title={t('fleet.revoked.confirmed')} names={confirmed.map(({ edge }) => edge)} />
    </>
  );
}

function Names({ title, names, help }: { title: string; names: readonly string[]; help?: string }) {
  if (names.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{`${title} (${names.length})`}</h3>
      <ul className="list read">
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      {help !== undefined && <p className="t2">{help}</p>}
    </section>
  );
}
