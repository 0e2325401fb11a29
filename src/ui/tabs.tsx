import '@mantine/core/styles/Tabs.layer.css';
import { Tabs as LibraryTabs } from '@mantine/core';
import styles from './tabs.module.css';

export const Tabs = LibraryTabs.withProps({
  classNames: { tab: styles.tab, list: styles.list },
  keepMounted: false,
});
export const TabList = LibraryTabs.List;
export const Tab = LibraryTabs.Tab;
export const TabPanel = LibraryTabs.Panel;
