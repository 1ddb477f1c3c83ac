/**
 * GitHub and npm show `<picture>` by the system's colors; here it follows the theme of the page. Addresses get `./`,
 * without which Vite takes them for packages.
 */
const PICTURE =
  /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img ([^>]*?)\s*\/?>\s*<\/picture>/g

export function themedPictures(html: string): string {
  return html
    .replaceAll(PICTURE, (_, dark: string, image: string) => {
      const darkImage = image.replace(/src="[^"]+"/, () => `src="${dark}"`)
      return `<img class="light-only" loading="lazy" ${image}><img class="dark-only" loading="lazy" ${darkImage}>`
    })
    .replaceAll(/(<img [^>]*?src=")(?![./]|[a-z]+:)/g, '$1./')
}
