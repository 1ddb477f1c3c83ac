import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import DemoRun from './DemoRun.vue'
import HeroImage from './HeroImage.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-image': () => h(HeroImage) }),
  enhanceApp({ app }) {
    app.component('DemoRun', DemoRun)
  },
} satisfies Theme
