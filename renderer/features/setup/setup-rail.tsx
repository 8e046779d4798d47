import { useTranslation } from 'react-i18next';
import { useStatus } from '#api/queries.ts';
import type { SetupProgress } from '#api/setup-progress.ts';
import { Icon } from '#ui/icon.tsx';

const STEPS = ['administrator', 'address', 'project', 'call'] as const;

/** Shows the current step, the finished steps, and the version of Sluice. */
export function SetupRail({ progress }: { progress: SetupProgress | null }) {
  const { t } = useTranslation();
  const current = STEPS.indexOf(progress?.step ?? 'administrator');
  const help = (step: (typeof STEPS)[number]) =>
    step === 'administrator' && progress !== null ? progress.name : t(`setupPage.steps.${step}Help`);
  return (
    <aside className="aside">
      <div>
        <h1>{t('setupPage.title')}</h1>
        <p className="t2">{t('setupPage.intro')}</p>
      </div>
      <ol className="steps" aria-label={t('setupPage.steps.label')}>
        {STEPS.map((step, index) => (
          <li
            key={step}
            className={index < current ? 'done' : ''}
            aria-current={index === current ? 'step' : undefined}
          >
            <span className="number">{index < current ? <Icon name="check" /> : index + 1}</span>
            <span className="two">
              <b>{t(`setupPage.steps.${step}`)}</b>
              <small>{help(step)}</small>
              {index < current && <span className="visually-hidden">{t('setupPage.steps.done')}</span>}
            </span>
          </li>
        ))}
      </ol>
      {progress !== null && <Foot />}
    </aside>
  );
}

function Foot() {
  const { t } = useTranslation();
  const status = useStatus().data;
  if (status === undefined) return null;
  return <p className="xs t3 foot">{t('setupPage.foot', { version: status.version })}</p>;
}
