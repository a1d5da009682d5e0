import { mount } from 'svelte'
import './tokens.css'
import './base.css'
import App from './App.svelte'
import { mayDrawPictures, pipTab } from './lib/shell'
import Pip from './Pip.svelte'

document.documentElement.dataset.pictures = mayDrawPictures() ? 'window' : 'canvas'
const target = document.getElementById('app')!
void pipTab().then((id) => (id ? mount(Pip, { target, props: { id } }) : mount(App, { target })))
