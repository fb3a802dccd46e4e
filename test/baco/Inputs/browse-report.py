# Uses a page of `baco report` as people do, in Debian's Chromium:
#
#   browse-report.py PAGE [TEXT...]
#
# Looks for errors on the console and for requests, draws each plot, uses each
# control, follows links, and draws all again at 400 px in dark. Each TEXT must be
# one on the page, and not more than that. With the environment
# variable SHOTS, a folder, it keeps screenshots there. Debian's Python runs it.

import base64
import json
import os
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

page = "file://" + os.path.abspath(sys.argv[1])
hostile = sys.argv[2:]

options = webdriver.ChromeOptions()
options.binary_location = "/usr/bin/chromium"
for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--disable-background-networking"):
    options.add_argument(argument)
options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
run = browser.execute_script


def find(name):
    return browser.find_element(By.ID, name)


def wait_for(condition, what):
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("waited in vain: " + what)


def resize(width, height=900):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def open_page(fragment=""):
    browser.get("about:blank")
    browser.get(page + fragment)


def draw_plots():
    """Each plot that is shown has a canvas with more than one color."""
    plots = run("return [...document.querySelectorAll('.plot')].filter(p => p.offsetParent).map(p => p.id)")
    for name in plots:
        run("document.getElementById(arguments[0]).scrollIntoView({block: 'center'})", name)
        wait_for(lambda: run("""
            const canvas = document.querySelector('#' + arguments[0] + ' canvas');
            if (!canvas) return false;
            const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            return new Set(new Uint32Array(pixels.buffer)).size > 10;""", name), name + " is drawn")
        assert find(name).get_attribute("aria-label"), name
    return plots


def use_controls():
    """Chooses each option, and clicks each button and box that is enabled."""
    used = 0
    for select in browser.find_elements(By.TAG_NAME, "select"):
        if not select.is_displayed():
            continue
        before = select.get_attribute("value")
        values = run("return [...arguments[0].options].map(o => o.value)", select)
        for value in values[:6] + [before]:
            run("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'))", select, value)
            used += 1
    # That of --live is hidden.
    for box in browser.find_elements(By.CSS_SELECTOR, "label:not([hidden]) > input[type=checkbox]"):
        for _ in range(2):
            box.click()
            used += 1
    for name in run("return [...document.querySelectorAll('.controls button')].map(b => b.id)"):
        if find(name).is_enabled():
            find(name).click()
            used += 1
    find("pick-none").click()
    for table in run("return [...document.querySelectorAll('.scroll')].filter(t => t.offsetParent).map(t => t.id)"):
        for index in range(run("return document.querySelectorAll('#' + arguments[0] + ' th').length", table)):
            orders = set()
            for _ in range(2):
                run("document.querySelectorAll('#' + arguments[0] + ' th button')[arguments[1]].click()", table, index)
                used += 1
                sorted_by = run("""return [...document.querySelectorAll('#' + arguments[0] + ' th')]
                    .map(h => h.getAttribute('aria-sort'))""", table)
                orders.add(sorted_by[index])
                assert sorted_by.count("none") == len(sorted_by) - 1, sorted_by
                check_order(table, index, sorted_by[index])
            assert orders == {"ascending", "descending"}, orders
    return used


def check_order(table, index, order):
    """Cells that are whole numbers are in this order."""
    cells = run("""return [...document.querySelectorAll('#' + arguments[0] + ' tbody tr')]
        .map(row => row.cells[arguments[1]].textContent)""", table, index)
    numbers = [int(cell) for cell in cells if cell.isdecimal()]
    if len(numbers) == len(cells):
        assert numbers == sorted(numbers, reverse=order == "descending"), numbers


def check_selection():
    """Selections by button and by dragging: the table has the same trials."""
    find("pick-fast").click()
    picked = int(find("picked").text.split()[0])
    assert ", %d trials" % picked in find("page-label").text, find("page-label").text
    find("pick-none").click()
    total = int(find("page-label").text.split(", ")[1].split()[0])
    plot = find("parallel-plot")
    run("arguments[0].scrollIntoView({block: 'center'})", plot)
    time.sleep(0.3)
    left, top = -plot.size["width"] // 2 + 40, -plot.size["height"] // 2 + 90
    ActionChains(browser).move_to_element_with_offset(plot, left, top).click_and_hold() \
        .move_by_offset(0, 60).move_by_offset(0, 60).release().perform()
    check_picked(total, "by dragging along an axis")
    plot = find("scatter-plot")
    run("arguments[0].scrollIntoView({block: 'center'})", plot)
    time.sleep(0.3)
    left, top = -plot.size["width"] // 2 + 80, -plot.size["height"] // 2 + 60
    ActionChains(browser).move_to_element_with_offset(plot, left, top).click_and_hold() \
        .move_by_offset(200, 100).move_by_offset(200, 200).release().perform()
    check_picked(total, "by dragging over points")


def check_picked(total, how):
    wait_for(lambda: find("picked").text, "a selection " + how)
    picked = int(find("picked").text.split()[0])
    assert 0 < picked < total, (picked, total)
    assert ", %d trials" % picked in find("page-label").text
    find("pick-none").click()
    assert not find("picked").text


def check_links():
    open_page("#trial-7")
    wait_for(lambda: run("return document.activeElement.id") == "trial-7", "the linked trial has the focus")
    assert run("return document.getElementById('trial-7').className") == "marked"
    studies = run("return JSON.parse(document.getElementById('data').textContent).studies.map(s => s.key)")
    open_page("#%s/trial-3" % studies[-1][:8])
    wait_for(lambda: run("return document.activeElement.id") == "trial-3", "the linked trial of a study")
    assert studies[-1][:8] in find("study-name").text
    if len(studies) > 1:
        run("document.querySelector('#kernels-table a').click()")
        key = run("return location.hash.slice(1)")
        wait_for(lambda: key in find("study-name").text, "a kernel of the table")
        open_page()
        plot = find("kernels-plot")
        run("arguments[0].scrollIntoView({block: 'center'})", plot)
        time.sleep(0.3)
        x, y = run("""const chart = echarts.getInstanceByDom(arguments[0]), top = chart.convertToPixel('grid', [1, 0]);
            return [top[0], top[1] - 5];""", plot)
        ActionChains(browser).move_to_element_with_offset(
            plot, int(x - plot.size["width"] / 2), int(y - plot.size["height"] / 2)).click().perform()
        wait_for(lambda: run("return location.hash.slice(1)") not in ("", key), "a kernel of the plot")


def check_keyboard():
    """Tab comes to the controls, and what has the focus is seen."""
    open_page()
    run("document.body.focus()")
    reached = set()
    for _ in range(12):
        ActionChains(browser).send_keys("\ue004").perform()
        reached.add(run("const a = document.activeElement; return a.id || a.className || a.tagName"))
        assert run("return getComputedStyle(document.activeElement).outlineStyle") != "none", reached
    assert {"skip", "theme"} <= reached, reached


def shoot(name):
    if "SHOTS" not in os.environ:
        return
    width, height = run("return [innerWidth, document.documentElement.scrollHeight]")
    picture = browser.execute_cdp_cmd("Page.captureScreenshot", {
        "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}})
    with open(os.path.join(os.environ["SHOTS"], name + ".png"), "wb") as file:
        file.write(base64.b64decode(picture["data"]))


try:
    resize(1280)
    open_page()
    opened = run("return performance.timing.loadEventEnd - performance.timing.navigationStart")
    run("const s = document.getElementById('study-select'); s.value = s.options.length - 1; s.onchange()")
    plots = draw_plots()
    assert "roofline-plot" in plots and len(browser.find_elements(By.CSS_SELECTOR, "#listings pre")) == 2
    shoot("light")
    used = use_controls()
    check_selection()
    check_links()
    check_keyboard()
    resize(400)
    open_page()
    run("const t = document.getElementById('theme'); t.value = 'dark'; t.dispatchEvent(new Event('change'))")
    assert run("return getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 27)"
    assert draw_plots() == plots
    assert run("return document.documentElement.scrollWidth") <= 400
    shoot("dark-400")
    for text in hostile:
        assert text in run("return document.querySelector('main').innerText"), text
    assert run("return typeof window.hacked") == "undefined"
    assert run("return document.querySelectorAll('img, iframe, object, embed').length") == 0
    assert run("return document.scripts.length") == 4
    console = browser.get_log("browser")
    assert not console, console
    requests = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    urls = {request["params"]["request"]["url"].split("#")[0] for request in requests
            if request["method"] == "Network.requestWillBeSent"}
    assert {url for url in urls if not url.startswith(("data:", "about:"))} == {page}, urls
    print("opened in", opened, "ms;", len(plots), "plots;", used, "uses of controls")
finally:
    browser.quit()
