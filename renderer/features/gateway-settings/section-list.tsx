import { useTranslation } from 'react-i18next';

interface Props {
  sections: readonly { id: string; title: string }[];
}

/** Beside the form, if there is room: links to its sections. */
export function SectionList({ sections }: Props) {
  const { t } = useTranslation();
  return (
    <nav className="section-list" aria-label={t('gatewayPage.sections')}>
      <ul>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <button type="button" className="line-button" onClick={() => openSection(id)}>
              {title}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export const sectionId = (id: string): string => `settings-${id}`;

function openSection(id: string): void {
  const section = document.getElementById(sectionId(id));
  section?.scrollIntoView();
  section?.focus({ preventScroll: true });
}
