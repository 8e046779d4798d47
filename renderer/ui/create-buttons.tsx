import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';

/** The footer of a page that creates something: back to the pipelines, or submit the form. */
export function CreateButtons({ submit, pending }: { submit: string; pending: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="row create-bar">
      <Button component={Link} href="/pipelines">
        {t('common.cancel')}
      </Button>
      <span className="grow" />
      <Button type="submit" variant="filled" loading={pending}>
        {submit}
      </Button>
    </div>
  );
}
