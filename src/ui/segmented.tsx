import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { SegmentedControl } from '@mantine/core';
import styles from './segmented.module.css';

/** One of a few, all in view. */
export const Segmented = SegmentedControl.withProps({
  size: 'sm',
  classNames: { root: styles.root, label: styles.label, indicator: styles.indicator },
  withItemsBorders: false,
});
