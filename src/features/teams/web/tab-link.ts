import { createLink } from '@tanstack/react-router';
import { PageTab } from '#ui/page-tabs.tsx';

export const TabLink = createLink(PageTab);
