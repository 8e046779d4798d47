import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EgressTarget } from '#common/model/egress.ts';
import { useTargetAct } from '#api/egress-queries.ts';
import { definitionOf, useSaveDraft, useStartRevision } from '#api/pipeline-queries.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { TextField } from '#ui/form-fields.tsx';
import { NativeSelect } from '#ui/native-select.tsx';
import { Note } from '#ui/note.tsx';
import { numberText } from '#ui/quantity.ts';
import { statusText } from './http-status.ts';
import { hasDelivered, targetName } from './target-view.ts';
import { headerNames, isSameHeader, withToken, type TokenPlace } from './token-places.ts';

interface Props {
  target: EgressTarget;
  places: readonly TokenPlace[];
  onResumed: () => void;
  onClose: () => void;
}

/**
 * The new token, one event with it, then the rest. The target stays paused until somebody resumes it, so that a wrong
 * token costs one refused attempt.
 */
export function TokenDialog({ target, places, onResumed, onClose }: Props) {
  const { t } = useTranslation();
  const names = headerNames(places);
  const [header, setHeader] = useState(names[0] ?? '');
  const [value, setValue] = useState('');
  const { tryWith, pending, error, outcome } = useTryWithToken(target);
  const resume = useTargetAct();
  const { name } = targetName(target.target);
  const chosen = places.filter((place) => isSameHeader(place.header, header));
  const mayResume = outcome === 'saved' || (outcome !== null && hasDelivered(outcome));
  return (
    <Dialog
      title={t('egress.token.title', { name })}
      onDismiss={onClose}
      typed
      foot={
        <>
          <span className="grow" />
          <Button onClick={onClose}>{t('common.close')}</Button>
          {mayResume ? (
            <Button
              variant="filled"
              loading={resume.isPending}
              onClick={() => resume.mutate({ id: target.id, act: 'resume' }, { onSuccess: onResumed })}
            >
              {t('egress.resume')}
            </Button>
          ) : (
            <Button
              variant="filled"
              disabled={value.trim() === ''}
              loading={pending}
              onClick={() => tryWith(chosen, header, value.trim())}
            >
              {t(target.queued > 0 ? 'egress.token.try' : 'egress.token.save')}
            </Button>
          )}
        </>
      }
    >
      {names.length > 1 && (
        <NativeSelect
          label={t('egress.token.header')}
          value={header}
          options={names.map((one) => ({ value: one, label: one }))}
          onChange={setHeader}
        />
      )}
      <TextField
        label={t('egress.token.value', { header })}
        help={t('egress.token.valueHelp')}
        value={value}
        onChange={setValue}
        type="password"
        autoComplete="new-password"
        first
      />
      <p className="t2">
        {t('egress.token.goesInto', {
          places: chosen.map(({ pipeline, node }) => `${pipeline.name}, ${node}`).join('; '),
        })}
      </p>
      {error !== null && <ErrorNote error={error} />}
      {resume.isError && <ErrorNote error={resume.error} />}
      {outcome !== null && <OutcomeNote outcome={outcome} name={name} />}
    </Dialog>
  );
}

/** The target after one event was tried; `saved` = none was waiting. */
type Outcome = EgressTarget | 'saved';

/** Saves a revision with the token in each pipeline, starts it, and sends one event. */
function useTryWithToken(target: EgressTarget) {
  const save = useSaveDraft();
  const start = useStartRevision();
  const act = useTargetAct();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  // By pipeline: a second attempt is made over the revision of the first, and over nobody else's.
  const revisions = useRef(new Map<TokenPlace['pipeline'], number>());
  const all = async (places: readonly TokenPlace[], header: string, value: string) => {
    for (const pipeline of new Set(places.map((place) => place.pipeline))) {
      const nodes = places.filter((place) => place.pipeline === pipeline).map(({ node }) => node);
      const { project, id } = pipeline;
      const definition = withToken(definitionOf(pipeline), nodes, header, value);
      const revision = revisions.current.get(pipeline) ?? pipeline.revision;
      const made = await save.mutateAsync({ project, id, definition, revision, passing: false });
      revisions.current.set(pipeline, made.revision);
      await start.mutateAsync({ project, id, revision: made.revision });
    }
    setOutcome(target.queued > 0 ? await act.mutateAsync({ id: target.id, act: 'try' }) : 'saved');
  };
  const tryWith = (places: readonly TokenPlace[], header: string, value: string) => {
    setPending(true);
    setError(null);
    setOutcome(null);
    all(places, header, value)
      .catch(setError)
      .finally(() => setPending(false));
  };
  return { tryWith, pending, error, outcome };
}

function OutcomeNote({ outcome, name }: { outcome: Outcome; name: string }) {
  const { t, i18n } = useTranslation();
  if (outcome === 'saved') return <Note title={t('egress.token.saved')} />;
  const { lastAnswer, queued } = outcome;
  if (hasDelivered(outcome)) {
    const events = t('egress.events', { count: queued, events: numberText(queued, i18n.language) });
    return <Note title={t('egress.token.delivered', { name, events })} />;
  }
  const answer = lastAnswer?.status ? statusText(lastAnswer.status) : (lastAnswer?.text ?? '');
  return <Note kind="warning" title={t('egress.token.refused', { name, answer })} />;
}
