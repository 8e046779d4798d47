import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SetupProgress } from '#api/setup-progress.ts';
import { AddressStep } from './address-step.tsx';
import { AdministratorStep } from './administrator-step.tsx';
import { ProjectStep } from './project-step.tsx';
import { SetupRail } from './setup-rail.tsx';
import './setup.css';

interface Props {
  bar: ReactNode;
  /** Null = no Administrator yet: the first step. */
  progress: SetupProgress | null;
  /** Where the set-up token is. */
  hint: string;
}

/** First start, in three steps: the first Administrator, who is logged in from then on; address and ports; a project. */
export function SetupPage({ bar, progress, hint }: Props) {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${t('setupPage.title')} | Sluice`;
  }, [t]);
  return (
    <div className="front">
      {bar}
      <SetupRail progress={progress} />
      {progress === null && (
        <main>
          <AdministratorStep hint={hint} />
        </main>
      )}
      {progress?.step === 'address' && <AddressStep progress={progress} />}
      {progress?.step === 'project' && (
        <main>
          <ProjectStep progress={progress} />
        </main>
      )}
    </div>
  );
}
