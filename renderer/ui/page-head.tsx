import { useEffect, type ReactNode } from 'react';

/** A page opens with its title and one sentence that answers; actions right, the primary one last. */
export function PageHead({ title, answer, actions }: { title: string; answer?: ReactNode; actions?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} | Sluice`;
  }, [title]);
  return (
    <div className="page-head">
      <div className="title grow">
        <h1>{title}</h1>
        {answer !== undefined && <span className="answer">{answer}</span>}
      </div>
      {actions}
    </div>
  );
}
