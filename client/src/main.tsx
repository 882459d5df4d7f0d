import './styles/app.css'
import { render } from 'solid-js/web'
import { App } from './app.tsx'
import { startLanguage } from './i18n/choose-language.ts'

const root = document.querySelector('#app')
if (!root) throw new Error('index.html has no #app')
void startLanguage().then(() => render(() => <App />, root))
