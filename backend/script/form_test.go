package script

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"baton/backend/fault"
)

func TestHelpersTakeTheToolsFieldsOrATargetFirst(t *testing.T) {
	s := newSite(t)
	for code, want := range map[string]string{
		`await click("e5")`:                                           `click {"target":"e5"}`,
		`await click({role:"button",name:"Next"})`:                    `click {"target":{"role":"button","name":"Next"}}`,
		`await click({target:"e5",button:"right",count:2})`:           `click {"target":"e5","button":"right","count":2}`,
		`await click({ref:"e5"},{button:"right"})`:                    `click {"target":"e5","button":"right"}`,
		`await click({css:"#a",tab:"t2"})`:                            `click {"target":{"css":"#a"},"tab":"t2"}`,
		`await click({x:3,y:4})`:                                      `click {"target":{"x":3,"y":4}}`,
		`await click("e5",{timeout:1000,force:true})`:                 `click {"target":"e5","timeout_ms":1000}`,
		`await click('- button "Save" [e7] disabled')`:                `click {"target":"e7"}`,
		`await click('button "Save"')`:                                `click {"target":{"role":"button","name":"Save"}}`,
		`await click("#save")`:                                        `click {"target":{"css":"#save"}}`,
		`await click("css=.a >> nth=2")`:                              `click {"target":{"css":".a","nth":2}}`,
		`await click("text=Save")`:                                    `click {"target":{"text":"Save"}}`,
		`await click('role=button[name="Save"]')`:                     `click {"target":{"role":"button","name":"Save"}}`,
		`await click(role("button",{name:/save/i}))`:                  `click {"target":{"role":"button","name":"save"}}`,
		`await hover("e5")`:                                           `hover {"target":"e5"}`,
		`await type("e4","Ana")`:                                      `type {"target":"e4","text":"Ana"}`,
		`await type("Ana")`:                                           `type {"text":"Ana"}`,
		`await type({ref:"e4",text:"Ana",submit:true})`:               `type {"target":"e4","text":"Ana","submit":true}`,
		`await type({label:"Name"},"Ana",{submit:true})`:              `type {"target":{"label":"Name"},"text":"Ana","submit":true}`,
		`await type({text:"Name"},"Ana")`:                             `type {"target":{"text":"Name"},"text":"Ana"}`,
		`await type({target:"e4",value:"Ana",clear:true})`:            `type {"target":"e4","text":"Ana","mode":"replace"}`,
		`await type("e4",7)`:                                          `type {"target":"e4","text":"7"}`,
		`await press("Enter")`:                                        `press {"keys":"Enter"}`,
		`await press("e4","Enter")`:                                   `press {"target":"e4","keys":"Enter"}`,
		`await press({key:"Tab",ref:"e4"})`:                           `press {"target":"e4","keys":"Tab"}`,
		`await select("e5",["France"])`:                               `select {"target":"e5","values":["France"]}`,
		`await select("e5","France")`:                                 `select {"target":"e5","values":["France"]}`,
		`await select({ref:"e5",value:"fr"})`:                         `select {"target":"e5","values":["fr"]}`,
		`await selectOption("e5",{label:"France"})`:                   `select {"target":"e5","values":["France"]}`,
		`await check("e6")`:                                           `check {"target":"e6","checked":true}`,
		`await check("e6",false)`:                                     `check {"target":"e6","checked":false}`,
		`await check({ref:"e6",checked:false})`:                       `check {"target":"e6","checked":false}`,
		`await uncheck("e6")`:                                         `check {"target":"e6","checked":false}`,
		`await fill([{target:"e4",text:"Ana"},{ref:"e5",value:"B"}])`: `fill {"fields":[{"target":"e4","text":"Ana"},{"target":"e5","text":"B"}]}`,
		`await fill({fields:[{label:"Name",text:"Ana"}]})`:            `fill {"fields":[{"target":{"label":"Name"},"text":"Ana"}]}`,
		`await fill({e4:"Ana",e5:"B"})`:                               `fill {"fields":[{"target":"e4","text":"Ana"},{"target":"e5","text":"B"}]}`,
		`await fill("e4","Ana")`:                                      `type {"target":"e4","text":"Ana"}`,
		`await upload("e4","/a.png")`:                                 `upload {"target":"e4","files":["/a.png"]}`,
		`await upload({target:"e4",files:["/a.png"]})`:                `upload {"target":"e4","files":["/a.png"]}`,
		`await drag("e1","e2")`:                                       `drag {"from":"e1","to":"e2"}`,
		`await drag({from:"e1",to:{text:"x"}})`:                       `drag {"from":"e1","to":{"text":"x"}}`,
		`await scroll("bottom")`:                                      `scroll {"to":"bottom"}`,
		`await scroll(400)`:                                           `scroll {"dx":0,"dy":400}`,
		`await scroll({dy:300,target:"e3"})`:                          `scroll {"target":"e3","dy":300}`,
		`await scroll("e3")`:                                          `scroll {"target":"e3","to":"target"}`,
		`await open("https://a.test/",{show:true})`:                   `open {"url":"https://a.test/","show":true}`,
		`await open()`:                                                `open {}`,
		`await navigate("back")`:                                      `navigate {"action":"back"}`,
		`await navigate({url:"https://a.test/",tab:"t3"})`:            `navigate {"url":"https://a.test/","tab":"t3"}`,
		`await goto("https://a.test/",{waitUntil:"networkidle"})`:     `navigate {"url":"https://a.test/"}`,
		`await snapshot()`:                                            `snapshot {}`,
		`await snapshot({query:"Save",max_chars:500})`:                `snapshot {"query":"Save","max_chars":500}`,
		`await snapshot("Order total")`:                               `snapshot {"query":"Order total"}`,
		`await snapshot("e4")`:                                        `snapshot {"target":"e4"}`,
		`await read({query:"price"})`:                                 `read {"query":"price"}`,
		`await dialog(true,"Ana")`:                                    `dialog {"accept":true,"text":"Ana"}`,
		`await dialog({accept:false})`:                                `dialog {"accept":false}`,
		`await dialog("dismiss")`:                                     `dialog {"accept":false}`,
		`await sleep(5)`:                                              `sleep {"ms":5}`,
		`await new Promise(r => setTimeout(r, 5))`:                    `sleep {"ms":5}`,
		`await step({action:"click",target:"e1"})`:                    `click {"target":"e1"}`,
		`await step("browser_click",{target:"e1"})`:                   `click {"target":"e1"}`,
	} {
		if name, _, _ := strings.Cut(want, " "); name == "sleep" {
			s.wantValue(code+"; return 1", "1") // sleeps stay in the runner
			continue
		}
		s.wantSteps(code, want)
	}
}

func TestWaitsTakeManyForms(t *testing.T) {
	s := newSite(t)
	for code, want := range map[string]string{
		`await wait({text:"Done"})`:                                  `wait {"text":"Done"}`,
		`await wait("Done")`:                                         `wait {"text":"Done"}`,
		`await wait("text","Done")`:                                  `wait {"text":"Done"}`,
		`await wait("Done","text")`:                                  `wait {"text":"Done"}`,
		`await wait("Done",400)`:                                     `wait {"text":"Done","timeout_ms":400}`,
		`await wait({textGone:"Loading"})`:                           `wait {"text_gone":"Loading"}`,
		`await wait({text:"Loading",state:"hidden"})`:                `wait {"text_gone":"Loading"}`,
		`await wait("#done","visible")`:                              `wait {"target":{"css":"#done"},"state":"visible"}`,
		`await wait("#done",{state:"detached"})`:                     `wait {"target":{"css":"#done"},"state":"gone"}`,
		`await wait({selector:".x",timeout:300})`:                    `wait {"target":{"css":".x"},"state":"visible","timeout_ms":300}`,
		`await wait({role:"button",name:"Go"})`:                      `wait {"target":{"role":"button","name":"Go"},"state":"visible"}`,
		`await wait({target:"e3",state:"attached"})`:                 `wait {"target":"e3","state":"visible"}`,
		`await wait("networkidle")`:                                  `wait {"quiet":500,"timeout_ms":1000}`,
		`await wait({load:"networkidle"})`:                           `wait {"quiet":500,"timeout_ms":1000}`,
		`await wait({url:/\/orders\/\d+$/ && "/orders/*"})`:          `wait {"url":"/orders/*"}`,
		`await wait({url:/orders\/.*\/done/})`:                       `wait {"url":"*orders/*/done*"}`,
		`await page.waitForURL("**/done")`:                           `wait {"url":"*/done"}`,
		`await page.waitForLoadState("domcontentloaded")`:            `wait {"load":"domcontentloaded"}`,
		`await page.waitForSelector("#a",{state:"hidden"})`:          `wait {"target":{"css":"#a"},"state":"hidden"}`,
		`await page.getByText("Hi").waitFor()`:                       `wait {"target":{"text":"Hi"},"state":"visible"}`,
		`await wait(() => window.ready)`:                             `wait {"function":"() => (() => window.ready)()"}`,
		`await page.waitForFunction((n) => document.evaluate(n), 3)`: `wait {"function":"() => ((n) => document.evaluate(n))(3)"}`,
		`await wait({function:"window.ready"})`:                      `wait {"function":"window.ready"}`,
	} {
		s.wantSteps(code, want)
	}
	// A function that calls helpers runs here, once a second.
	n := 0
	s.answer = func(context.Context, Step) (json.RawMessage, error) {
		n++
		return json.Marshal(n >= 2)
	}
	s.wantSteps(`await wait(async () => await evaluate(() => window.ready), 5000)`, `evaluate {"expression":"() => (() => window.ready)()"}`, `evaluate {"expression":"() => (() => window.ready)()"}`)
}

func TestPlaywrightAndPuppeteerFormsWork(t *testing.T) {
	s := newSite(t)
	for code, want := range map[string]string{
		`await page.click("button")`:                                        `click {"target":{"css":"button"}}`,
		`await page.getByRole("button",{name:"Save"}).click()`:              `click {"target":{"role":"button","name":"Save"}}`,
		`await page.getByRole("button",{name:/^save$/i}).nth(1).dblclick()`: `click {"target":{"role":"button","name":"save","nth":1},"count":2}`,
		`await page.getByLabel("Name").fill("Ana")`:                         `type {"target":{"label":"Name"},"text":"Ana"}`,
		`await page.locator("#a").locator(".b").first().click()`:            `click {"target":{"css":"#a .b","nth":0}}`,
		`await page.locator("li").filter({hasText:"Ana"}).click()`:          `click {"target":{"css":"li:has-text(\"Ana\")"}}`,
		`await page.locator(".row").getByText("Edit").click()`:              `click {"target":{"css":".row :text(\"Edit\")"}}`,
		`await page.fill("#name","Ana")`:                                    `type {"target":{"css":"#name"},"text":"Ana"}`,
		`await page.type("#name","Ana")`:                                    `type {"target":{"css":"#name"},"text":"Ana","mode":"append"}`,
		`await page.press("#name","Enter")`:                                 `press {"target":{"css":"#name"},"keys":"Enter"}`,
		`await page.keyboard.press("Escape")`:                               `press {"keys":"Escape"}`,
		`await page.keyboard.type("hey")`:                                   `type {"text":"hey","mode":"append"}`,
		`await page.mouse.click(5,6)`:                                       `click {"target":{"x":5,"y":6}}`,
		`await page.mouse.wheel(0,300)`:                                     `scroll {"dx":0,"dy":300}`,
		`await page.selectOption("#c","fr")`:                                `select {"target":{"css":"#c"},"values":["fr"]}`,
		`await page.goto("https://a.test/")`:                                `navigate {"url":"https://a.test/"}`,
		`await page.$eval("#a", e => e.id)`:                                 `evaluate {"target":{"css":"#a"},"expression":"(el) => (e => e.id)(el)"}`,
		`await page.$$eval("li", l => l.length)`:                            `evaluate {"expression":"() => (l => l.length)(Array.from(document.querySelectorAll(\"li\")))"}`,
		`await page.evaluate(([a,b]) => a+b, [1,2])`:                        `evaluate {"expression":"() => (([a,b]) => a+b)([1,2])"}`,
		`await page.title()`:                                                `evaluate {"expression":"document.title"}`,
		`await page.frameLocator("#f").getByText("Pay").click()`:            `click {"target":{"text":"Pay","frame":{"css":"#f"}}}`,
		`await evaluate("e4", el => el.value)`:                              `evaluate {"target":"e4","expression":"(el) => (el => el.value)(el)"}`,
		`await evaluate((el, n) => el.value + n, "e4", 2)`:                  `evaluate {"target":"e4","expression":"(el) => ((el, n) => el.value + n)(el, 2)"}`,
		`await evaluate({expression: () => 1})`:                             `evaluate {"expression":"() => (() => 1)()"}`,
		`await evaluate(function f(){ return 1 })`:                          `evaluate {"expression":"() => (function f(){ return 1 })()"}`,
	} {
		s.wantSteps(code, want)
	}
	s.wantValue(`await page.click("#a"); return page.url()`, `"http://site.test/click"`)
	s.wantValue(`return page.url()`, `"http://site.test/"`)
	// A wait begun beside a click starts after it.
	s.wantSteps(`await Promise.all([page.waitForNavigation(), page.click("a")])`, `click {"target":{"css":"a"}}`, `wait {"load":"load"}`)
	s.answer = func(_ context.Context, st Step) (json.RawMessage, error) {
		if st.Name == "click" {
			return json.RawMessage(`{"dialog":{"kind":"confirm","message":"Sure?"}}`), nil
		}
		return json.RawMessage(`{}`), nil
	}
	s.wantSteps(`page.on("dialog", d => { if (d.message() === "Sure?") return d.accept() }); await page.click("a")`, `click {"target":{"css":"a"}}`, `dialog {"accept":true}`)
}

func TestUnknownFormsNameTheAcceptedOnes(t *testing.T) {
	s := newSite(t)
	for code, words := range map[string][]string{
		`await page.waitForResponse("x")`:                     {"page.waitForResponse does not exist", "waitForSelector", "evaluate"},
		`await page.getByText("x").blorp()`:                   {"locator.blorp", "click"},
		`await click()`:                                       {"nothing is no target", `{role:"button",name:"Save"}`},
		`await click(page.$("x"))`:                            {"a promise is no target"},
		`await click("//button")`:                             {"XPath"},
		`await wait()`:                                        {"Accepted", "text_gone"},
		`await wait("a","b")`:                                 {"is not understood", `wait({text:"Done"})`},
		`await page.getByRole("button",{name:/a|b/}).click()`: {"compared as text"},
		`setInterval(() => {}, 1)`:                            {"setInterval", "sleep"},
		`page.on("request", () => {})`:                        {"dialog"},
		`await dialog(7)`:                                     {"dialog(true)"},
		"\nreturn document.title":                             {"document is the page's", "evaluate(() => document.title)", "line 2"},
		`window.scrollTo(0, 1)`:                               {"window is the page's"},
		`return await fetch("/x")`:                            {"fetch is the page's"},
		`const fs = require("fs")`:                            {"require does not exist", "helpers"},
		`await browser_click("e1")`:                           {"called as click"},
		`await screenshot()`:                                  {"screenshot is no helper"},
		`await nosuch()`:                                      {"nosuch"},
	} {
		s.wantFault(code, fault.ScriptError, words...)
	}
}
