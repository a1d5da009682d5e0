// Search engines that the settings offer by name. Another one is written as its
// address.
export const engines = [
  { value: 'https://duckduckgo.com/?q=%s', text: 'DuckDuckGo' },
  { value: 'https://www.google.com/search?q=%s', text: 'Google' },
  { value: 'https://www.bing.com/search?q=%s', text: 'Bing' },
  { value: 'https://www.startpage.com/do/search?q=%s', text: 'Startpage' },
]
