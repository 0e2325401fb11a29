import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import styles from './type-row.module.css';

/** The name of an event type, which leads to its settings. */
export const TitleLink = createLink((props: ComponentPropsWithRef<'a'>) => <a {...props} className={styles.link} />);
