import './styles/app.css'
import { render } from 'solid-js/web'
import { App } from './app.tsx'

const root = document.querySelector('#app')
if (!root) throw new Error('index.html has no #app')
render(() => <App />, root)
