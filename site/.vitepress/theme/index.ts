import DefaultTheme from 'vitepress/theme-without-fonts'
import type { Theme } from 'vitepress'
import DemoRun from './DemoRun.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('DemoRun', DemoRun)
  },
} satisfies Theme
