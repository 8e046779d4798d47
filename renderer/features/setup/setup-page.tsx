import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SetupProgress } from '#api/setup-progress.ts';
import { AddressStep } from './address-step.tsx';
import { AdministratorStep } from './administrator-step.tsx';
import { FirstCallStep } from './first-call-step.tsx';
import { ProjectStep } from './project-step.tsx';
import { SetupRail } from './setup-rail.tsx';
import { useTitle } from '#ui/use-title.ts';
import './setup.css';

interface Props {
  bar: ReactNode;
  /** Null: no Administrator yet: the first step. */
  progress: SetupProgress | null;
}

/** First start: the first Administrator, who is then logged in; address and ports; a project; a first call. */
export function SetupPage({ bar, progress }: Props) {
  const { t } = useTranslation();
  useTitle(t('setupPage.title'));
  return (
    <div className="front setup">
      {bar}
      <SetupRail progress={progress} />
      {progress === null && (
        <main>
          <AdministratorStep />
        </main>
      )}
      {progress?.step === 'address' && <AddressStep progress={progress} />}
      {progress?.step === 'project' && (
        <main>
          <ProjectStep progress={progress} />
        </main>
      )}
      {progress?.step === 'call' && (
        <main>
          <FirstCallStep progress={progress} />
        </main>
      )}
    </div>
  );
}
