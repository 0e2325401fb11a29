import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import { ButtonAnchor } from '#ui/button.tsx';
import { PageTab } from '#ui/page-tabs.tsx';
import styles from './routing.module.css';

/** The name of a form, which leads to its settings. */
export const FormLink = createLink((props: ComponentPropsWithRef<'a'>) => <a {...props} className={styles.link} />);
export const LinkButton = createLink(ButtonAnchor);
export const TabLink = createLink(PageTab);
